"""A view as a few lines of plain text, for terminals."""

from hakam.games.cards import NAMES, RANKS, SUITS, rank, suit
from hakam.games.trix.contracts import Contract
from hakam.games.trix.rules import Rules, contracts, deals
from hakam.games.trix.state import DEAL, OVER, Phase
from hakam.games.trix.view import View

__all__ = ["draw"]


def draw(rules: Rules, view: View) -> str:
    """The deal under way, one line a seat, what lies on the table, and the viewer's hand."""
    lines = [_head(rules, view), *[_seat_line(view, seat) for seat in range(4)]]
    if view.trick is not None:
        lines.append(f"trick  {_played(view.trick.leader, view.trick.cards)}")
    if view.last_trick is not None:
        last = view.last_trick
        lines.append(f"last   {_played(last.leader, last.cards)} taken by {last.taker}")
    if view.contract == Contract.TRIX:
        lines.extend([_run(view, s) for s in range(4)])
    if view.viewer is not None and view.hand:
        lines.append(f"hand   {' '.join([NAMES[c] for c in view.hand])}")
    return "\n".join(lines)


def _head(rules: Rules, view: View) -> str:
    deal = min(len(view.sheet) + 1, deals(rules))
    kingdom = (deal - 1) // len(contracts(rules)) + 1
    place = f"kingdom {kingdom} of 4, deal {deal} of {deals(rules)}"
    if view.phase in (DEAL, OVER):
        return f"{place}: {Phase(view.phase).name.lower()}"
    what = Contract(view.contract).name.lower() if view.contract else "no contract yet"
    return f"{place}: {what}, seat {view.to_act} to {Phase(view.phase).name.lower()}"


def _seat_line(view: View, seat: int) -> str:
    marks = "*" if seat == view.owner else " "
    line = (
        f"seat {seat}{marks} {view.hand_sizes[seat]:2} cards {view.tricks[seat]:2} tricks "
        f"{view.points[seat]:5} points {view.totals[seat]:6} total"
    )
    doubled = [NAMES[d.card] for d in view.doubled if d.seat == seat]
    queens = [NAMES[q.card] for q in view.queens if q.seat == seat]
    line += f"  doubled {' '.join(doubled)}" if doubled else ""
    line += f"  took {' '.join(queens)}" if queens else ""
    return line + (f"  out {view.out.index(seat) + 1}" if seat in view.out else "")


def _played(leader: int, cards: tuple[int, ...]) -> str:
    return " ".join([f"{(leader + n) % 4}:{NAMES[c]}" for n, c in enumerate(cards)]) or "-"


def _run(view: View, of: int) -> str:
    laid = [RANKS[rank(c)] for c in view.layout if suit(c) == of]
    return f"     {SUITS[of]} {' '.join(laid) or '-'}"
