from hakam.client import Client

with Client("127.0.0.1:50051") as hakam:
    game = hakam.new_game({"trix": {}})
    while game.outcome is None:
        safe, *_ = game.moves()  # every legal move; the first is a safe one
        game.play(safe)
    print(len(game.events), "events; won by seats", list(game.outcome.winners))
