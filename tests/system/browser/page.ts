// What a page does with Hakam: calls by gRPC-Web, and a refusal. It tells the test by posting JSON
// to where it came from.
import { Code, StaleMove } from "@hakam/client";
import { connect } from "@hakam/client/web";

const envoy = new URLSearchParams(location.search).get("envoy") ?? "";
const hakam = connect(envoy, { language: "ar" });

async function told() {
  const { games } = await hakam.listGames();
  const game = await hakam.newGame({
    rules: { game: { case: "tjau", value: {} } },
    chance: { case: "seed", value: new Uint8Array(32) },
  });
  const [move] = await game.moves();
  if (!move) throw new Error("no move");
  const { notation } = await game.play(move);
  const refusal = await game.play("throw", { expectedPly: 7 }).catch((error) => error);
  if (!(refusal instanceof StaleMove)) throw new Error("no refusal");
  return {
    games: games.map(({ id }) => id),
    notation,
    ply: game.ply,
    refusal: { code: Code[refusal.code], reason: refusal.reason, text: refusal.text },
  };
}

told()
  .catch((error) => ({ failed: String(error) }))
  .then((body) => fetch("/told", { method: "POST", body: JSON.stringify(body) }));
