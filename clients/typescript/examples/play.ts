// Plays a whole game of each kind with random legal moves, and prints its board as the service
// gives it. The first argument is its address.
import { connect } from "@hakam/client/node";
import { type Board, CellKind, type View } from "@hakam/client/v1";

const PAINT: Partial<Record<CellKind, string>> = {
  [CellKind.START]: "+",
  [CellKind.GOAL]: "o",
  [CellKind.BASE]: ":",
  [CellKind.MARK]: "*",
};

/** Which seat has something on which cell. */
function occupied({ position }: View, { paths }: Board): Map<number, number> {
  const found = new Map<number, number>();
  if (position.case === "jackaroo") {
    for (const [seat, { marbles }] of position.value.sides.entries()) {
      for (const cell of marbles) found.set(cell, seat);
    }
  }
  if (position.case === "tjau") {
    for (const [seat, { squares }] of position.value.sides.entries()) {
      for (const square of squares) found.set(paths[seat]?.cells[square - 1] ?? -1, seat);
    }
  }
  return found;
}

/** The board as rows of text, two letters a cell wide, or the view where there is no board. */
function drawn(board: Board, view: View): string {
  const seats = occupied(view, board);
  const rows: string[][] = [];
  for (const { id, kind, x, y } of board.cells) {
    const row = rows[Math.round(y)] ?? [];
    row[Math.round(x * 2)] = seats.get(id)?.toString() ?? PAINT[kind] ?? ".";
    rows[Math.round(y)] = row;
  }
  return Array.from(rows, (row) => Array.from(row ?? [], (cell) => cell ?? " ").join("")).join(
    "\n",
  );
}

const hakam = connect(process.argv[2] ?? "127.0.0.1:50051");
for (const kind of ["tjau", "trix", "jackaroo"] as const) {
  const rules = { game: { case: kind, value: {} } };
  const { board } = await hakam.getBoard(rules);
  const game = await hakam.newGame({ rules });
  for (let moves = await game.moves(); moves.length; ) {
    const move = moves[Math.floor(Math.random() * moves.length)];
    if (move) ({ moves } = await game.play(move, { listMoves: true }));
  }
  const view = await game.view("spectator");
  console.log(`${kind}, ${game.ply} moves and chance events`);
  console.log(board?.cells.length ? drawn(board, view) : view.text);
  console.log("won by seats", game.outcome?.winners.join(" and "));
}
