import { connect } from "@hakam/client/node";

const hakam = connect(process.argv[2] ?? "127.0.0.1:50051");
const game = await hakam.newGame({ rules: { game: { case: "trix", value: {} } } });
while (!game.over) {
  const [move] = await game.moves(); // the first is always a safe one
  if (move) await game.play(move);
}
console.log(game.events.length, "events; won by seats", game.outcome?.winners);
