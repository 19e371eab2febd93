// What a page does with Hakam: calls by gRPC-Web, and errors with their details. It tells the test
// by posting JSON to where it came from.
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createGrpcWebTransport } from "@connectrpc/connect-web";
import { ErrorInfoSchema, LocalizedMessageSchema } from "./gen/google/rpc/error_details_pb.js";
import { GameService } from "./gen/hakam/v1/game_service_pb.js";
import { Language } from "./gen/hakam/v1/language_pb.js";

const baseUrl = new URLSearchParams(location.search).get("envoy")!;
const hakam = createClient(GameService, createGrpcWebTransport({ baseUrl, defaultTimeoutMs: 10000 }));

async function told() {
  const { games } = await hakam.listGames({});
  const begun = await hakam.newGame({
    rules: { game: { case: "tjau", value: {} } },
    chance: { case: "seed", value: new Uint8Array(32) },
    listMoves: true,
  });
  if (begun.stateForm.case !== "state") throw new Error("no state");
  const stateForm = begun.stateForm;
  const move = begun.moves[0].move;
  const applied = await hakam.applyMove({ stateForm, move });
  return {
    games: games.map((game) => game.id).sort(),
    notation: applied.notation,
    ply: applied.turn?.ply,
    refusal: await refusal(() =>
      hakam.applyMove({ stateForm, move, expectedPly: 7, language: Language.AR }),
    ),
  };
}

async function refusal(call: () => Promise<unknown>) {
  try {
    await call();
    return null;
  } catch (reason) {
    const error = ConnectError.from(reason);
    const [info] = error.findDetails(ErrorInfoSchema);
    const [message] = error.findDetails(LocalizedMessageSchema);
    return {
      code: Code[error.code],
      reason: info?.reason,
      domain: info?.domain,
      locale: message?.locale,
      message: message?.message,
    };
  }
}

told()
  .catch((reason) => ({ failed: String(reason) }))
  .then((body) => fetch("/told", { method: "POST", body: JSON.stringify(body) }));
