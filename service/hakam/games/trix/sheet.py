"""The faults of a score sheet and of doublings that somebody else wrote down (T1.1, T4, T4.5)."""

from collections.abc import Iterator, Sequence

from hakam.games.game import Fault
from hakam.games.reasons import Reason
from hakam.games.trix.contracts import (
    DOUBLABLE,
    DOUBLED_POINTS,
    GRAIN,
    PLACE_POINTS,
    TOTAL,
    TRIX,
    Contract,
)
from hakam.games.trix.rules import Doubling, Rules, contracts, deals
from hakam.games.trix.state import SeatCard, SheetDeal

__all__ = ["contract_faults", "doubling_faults", "sheet_faults"]


def sheet_faults(rules: Rules, sheet: Sequence[SheetDeal]) -> Iterator[Fault]:
    """Every fault of the finished deals, each line by itself and the kingdoms."""
    most = deals(rules)
    if len(sheet) > most:
        yield Fault("sheet", Reason.LENGTH_OUT_OF_RANGE, f"{len(sheet)} of at most {most}", "T1.1")
    kingdom = len(contracts(rules))
    for n, line in enumerate(sheet[:most]):
        before = sheet[n - n % kingdom : n]
        yield from contract_faults(rules, f"sheet[{n}].contract", line.contract, before)
        if line.doubled:
            yield from doubling_faults(rules, f"sheet[{n}]", line.contract, line.doubled)
        yield from _points_faults(rules, f"sheet[{n}].points", line)


def contract_faults(
    rules: Rules, path: str, contract: int, before: Sequence[SheetDeal]
) -> tuple[Fault, ...]:
    """Whether a contract may be played after those `before` in its kingdom."""
    known = contracts(rules)
    if contract not in known:
        names = tuple([Contract(c).name.lower() for c in known])
        detail = f"{contract} is no contract of it"
        return (Fault(path, Reason.VALUE_UNKNOWN, detail, "T1.1", names),)
    for line in before:
        if line.contract == contract:
            return (Fault(path, Reason.DUPLICATE, "played before in its kingdom", "T1.1"),)
    return ()


def doubling_faults(
    rules: Rules, path: str, contract: int, doubled: Sequence[SeatCard]
) -> Iterator[Fault]:
    """Whether these cards can stand doubled in a contract; `path` is of the message around."""
    if doubled and rules.doubling == Doubling.OFF:
        yield Fault(f"{path}.doubled".lstrip("."), Reason.FIELD_NOT_ALLOWED, "doubling=off", "T4.2")
    is_known = contract in contracts(rules)
    before = 0
    for n, (card, seat) in enumerate([(d.card, d.seat) for d in doubled]):
        at = f"{path}.doubled[{n}]".lstrip(".")
        if is_known and card not in DOUBLABLE[contract]:
            yield Fault(f"{at}.card", Reason.CARD_NOT_DOUBLABLE, f"card {card}", "T4.1")
        if n and card <= before:
            yield Fault(f"{at}.card", Reason.CARDS_OUT_OF_ORDER, "cards must ascend", "T4.2")
        if not 0 <= seat < 4:
            yield Fault(f"{at}.seat", Reason.VALUE_OUT_OF_RANGE, f"{seat}, seats are 0 to 3")
        before = card


def _points_faults(rules: Rules, path: str, line: SheetDeal) -> Sequence[Fault]:
    if len(line.points) != 4:
        return (Fault(path, Reason.COUNT_WRONG, f"{len(line.points)} of 4 seats"),)
    if line.contract == TRIX:
        if tuple(sorted(line.points, reverse=True)) == PLACE_POINTS:
            return ()
        detail = "not 200, 150, 100 and 50"
        return (Fault(path, Reason.VALUE_OUT_OF_RANGE, detail, "T5.5"),)
    if line.contract in contracts(rules):
        return _trick_points_faults(path, line)
    return ()


def _trick_points_faults(path: str, line: SheetDeal) -> list[Fault]:
    faults: list[Fault] = []
    total = TOTAL[line.contract]
    scored = sum(line.points)
    if scored != total:
        detail = f"they sum to {scored}, not to {total}"
        faults.append(Fault(path, Reason.VALUE_OUT_OF_RANGE, detail, "T4.5"))
    # T4.3: the doublings are lost once more by one seat, and gained by another.
    bonus = 0
    for d in line.doubled:
        if d.card in DOUBLABLE[line.contract]:
            bonus -= DOUBLED_POINTS[d.card]
    for seat, points in enumerate(line.points):
        if points % GRAIN[line.contract] or not total - bonus <= points <= bonus:
            detail = f"{points} cannot be scored in contract {line.contract}"
            faults.append(Fault(f"{path}[{seat}]", Reason.VALUE_OUT_OF_RANGE, detail, "T4.5"))
    return faults
