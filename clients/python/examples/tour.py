"""Every task of docs/clients.md, which shows its regions: python tour.py ADDRESSES TLS CA TOKEN."""

import sys
from hashlib import sha256
from pathlib import Path
from secrets import token_bytes

from hakam.client import Client, Game, IllegalMoveError, StaleMoveError, Tls, view_digest
from hakam.v1.game_service_pb2 import ReplayedGame


def _same(one: Game, other: Game) -> None:
    if one.ply != other.ply:
        sys.exit("not the same position")


def _secure(address: str, authority: Path, token: str) -> None:
    # region secure
    with Client(address, tls=Tls(ca=authority.read_bytes()), token=token) as client:
        print([game.id for game in client.games()])
    # endregion


def _play(client: Client) -> None:
    # region play
    game = client.new_game({"trix": {"ruleSet": "TRIX_RULE_SET_COMPLEX"}})
    while not game.over:
        move, *_others = game.moves()
        game.play(move)
    print(game.outcome, len(game.events))
    # endregion
    # region fairness
    view = game.view("spectator")
    record = game.record(view)
    if record is not None:
        replayed = client.replay(record)
        print(isinstance(replayed, ReplayedGame), view_digest(view))
    # endregion


def _look(client: Client) -> None:
    game = client.new_game({"jackaroo": {}})
    # region view
    own, everybody = game.view(2), game.view("spectator")
    print(own.jackaroo.hand, everybody.jackaroo.discard)
    # endregion
    # region errors
    try:
        game.play("2C 0.0+2")
    except IllegalMoveError as error:
        print(error.reason, error.clause, error.text)
    # endregion
    # region deadline
    move = game.moves(timeout=0.5)[0]
    # endregion
    # region stale
    on_screen = game.ply
    game.play(move, expected_ply=on_screen)
    try:
        game.play(move, expected_ply=on_screen)
    except StaleMoveError as error:
        print(error.expected_ply, error.ply)
    # endregion
    # region resume
    stored = game.state
    later = client.resume(stored)
    # endregion
    _same(later, game)


def _sealed(client: Client) -> None:
    # region sealed
    mine, hers = token_bytes(32), token_bytes(32)
    hashes = [sha256(secret).digest() for secret in (mine, hers)]
    table = client.new_game({"tjau": {}}, seal=True, credential_sha256=hashes)
    game = client.resume(table.state, seat=0, credentials={0: mine})
    game.play("throw")
    table.update(game.state)
    # endregion
    _same(table, game)


def main(addresses: str, tls: str, authority: str, token: str) -> None:
    """Every task, one after the other."""
    _secure(tls, Path(authority), token)
    replicas = addresses.split(",")
    # region connect
    client = Client(replicas, language="ar", timeout=5)
    # endregion
    with client:
        _play(client)
        _look(client)
        _sealed(client)


if __name__ == "__main__":
    main(*sys.argv[1:])
