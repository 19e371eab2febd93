"""What Hakam says to people, in English and Arabic: one sentence a reason.

A game words the reasons of its own clauses; the others are worded here. Values are numbers, card
names and clause ids; in Arabic each is isolated from the reordering of right-to-left text.
"""

from collections.abc import Mapping
from enum import IntEnum
from typing import Any, Final

from hakam.games import cards
from hakam.games.game import Catalogue, Text, Violation
from hakam.games.reasons import Reason

__all__ = ["Language", "isolated", "sentence", "violation_text"]

_LEFT_TO_RIGHT_ISOLATE: Final = "\u2066"
_POP_ISOLATE: Final = "\u2069"


class Language(IntEnum):
    """The language of a text; the numbers are the wire's, whose zero is English too."""

    EN = 1
    AR = 2


_REASONS: Final[dict[Reason, Text]] = {
    Reason.REQUEST_MALFORMED: Text("The request cannot be read.", "تعذّرت قراءة الطلب."),
    Reason.FIELD_UNKNOWN: Text(
        "The request has a field that does not exist.", "في الطلب حقل غير معروف."
    ),
    Reason.FIELD_MISSING: Text("A required field is missing.", "حقل مطلوب غير موجود."),
    Reason.FIELD_NOT_ALLOWED: Text(
        "A field is set that must be absent here.", "حقل موجود لا مكان له هنا."
    ),
    Reason.VALUE_OUT_OF_RANGE: Text("A number is out of its range.", "عدد خارج حدوده."),
    Reason.VALUE_UNKNOWN: Text("A value does not exist.", "قيمة غير معروفة."),
    Reason.LENGTH_OUT_OF_RANGE: Text(
        "A list or a text is too short or too long.", "قائمة أو نص أقصر أو أطول من المسموح."
    ),
    Reason.NOTATION_INVALID: Text("The text is not a move.", "النص لا يمثّل حركة."),
    Reason.RULES_INVALID: Text("The rules do not fit together.", "خيارات القواعد لا تتوافق."),
    Reason.REVISION_UNSUPPORTED: Text(
        "This revision of the rules is not served.", "إصدار القواعد هذا غير متاح."
    ),
    Reason.CHANCE_VERSION_UNSUPPORTED: Text(
        "This version of chance is not served.", "إصدار القرعة هذا غير متاح."
    ),
    Reason.GAME_MISMATCH: Text(
        "The message is of another game than the rules.", "الرسالة من لعبة غير لعبة القواعد."
    ),
    Reason.STATE_INVALID: Text("The state cannot be.", "حالة اللعبة غير صحيحة."),
    Reason.DUPLICATE: Text("The same thing occurs twice.", "الشيء نفسه مكرّر."),
    Reason.CARD_MISSING: Text("A card of the deck is missing.", "ورقة ناقصة من الشدّة."),
    Reason.COUNT_WRONG: Text("A count cannot be right.", "عدد لا يصحّ."),
    Reason.PHASE_INCONSISTENT: Text("A field contradicts the phase.", "حقل يناقض مرحلة اللعب."),
    Reason.NOT_YOUR_TURN: Text("It is not your turn.", "ليس دورك."),
    Reason.PLY_MISMATCH: Text(
        "The game has moved on since the state that you mean.",
        "اللعبة ليست في الموضع الذي تقصده.",
    ),
    Reason.GAME_OVER: Text("The game is over.", "انتهت اللعبة."),
    Reason.CHANCE_IS_DUE: Text(
        "Chance must bring its outcome first.", "يجب أن تأتي نتيجة القرعة أولًا."
    ),
    Reason.NO_CHANCE_IS_DUE: Text("No outcome of chance is due.", "لا قرعة مطلوبة الآن."),
    Reason.CHANCE_IS_SEEDED: Text(
        "Chance comes from the seed here; it cannot be brought.",
        "القرعة هنا من البذرة ولا تأتي من الخارج.",
    ),
    Reason.WRONG_PHASE: Text(
        "This is not what is to be done now.", "ليس هذا هو المطلوب في هذه المرحلة."
    ),
    Reason.CARD_NOT_IN_HAND: Text(
        "The card {card} is not in the hand.", "الورقة {card} ليست في اليد."
    ),
    Reason.CREDENTIAL_MISSING: Text(
        "The credential of the seat is missing.", "بطاقة اعتماد المقعد غير موجودة."
    ),
    Reason.CREDENTIAL_WRONG: Text(
        "The credential is not this seat's.", "بطاقة الاعتماد ليست لهذا المقعد."
    ),
    Reason.PLAIN_STATE_REFUSED: Text(
        "This service takes sealed states only.", "هذه الخدمة تقبل الحالات المختومة فقط."
    ),
    Reason.ADMISSION_REFUSED: Text("The caller is not admitted.", "غير مسموح بالدخول."),
    Reason.SEAL_MALFORMED: Text("The sealed state cannot be read.", "تعذّرت قراءة الختم."),
    Reason.SEAL_VERSION_UNSUPPORTED: Text(
        "This version of the seal is not served.", "إصدار الختم هذا غير متاح."
    ),
    Reason.SEAL_KEY_UNKNOWN: Text(
        "The state was sealed by another key.", "الحالة مختومة بمفتاح آخر."
    ),
    Reason.SEAL_REFUSED: Text("The seal does not open.", "الختم لا يُفتح."),
    Reason.REQUEST_TOO_LARGE: Text("The request is too large.", "الطلب أكبر من المسموح."),
    Reason.ANSWER_TOO_LARGE: Text(
        "The answer would be too large; send fewer items.", "الجواب أكبر من المسموح؛ أرسل أقل."
    ),
    Reason.TOO_MANY_ITEMS: Text("There are too many items.", "العناصر أكثر من المسموح."),
    Reason.RECORD_TOO_LONG: Text("The record is too long.", "السجل أطول من المسموح."),
    Reason.OVERLOADED: Text("The service is busy; try again.", "الخدمة مشغولة؛ حاول مرة أخرى."),
    Reason.DRAINING: Text(
        "This process is stopping; try again.", "هذه النسخة تتوقف؛ حاول مرة أخرى."
    ),
    Reason.DEADLINE_EXCEEDED: Text(
        "The deadline passed before the work was done.", "انتهت المهلة قبل إتمام العمل."
    ),
    Reason.NOT_BUILT: Text("This part of the contract is not built yet.", "هذا الجزء لم يُبنَ بعد."),
    Reason.INTERNAL: Text("Something went wrong here.", "حدث خطأ لدينا."),
}


def isolated(text: str) -> str:
    """The text as a left-to-right isolate, so that it keeps its order inside Arabic."""
    return f"{_LEFT_TO_RIGHT_ISOLATE}{text}{_POP_ISOLATE}"


def sentence(reason: Reason, language: Language) -> str:
    """The sentence of a reason that names no value."""
    return _pick(_REASONS[reason], language)


def violation_text(catalogue: Catalogue[Any], violation: Violation, language: Language) -> str:
    """The sentence of a violation, with what stands in the way filled in."""
    text = catalogue.reasons.get(violation.reason) or _REASONS[violation.reason]
    return _pick(text, language).format_map(_values(violation, language))


def _pick(text: Text, language: Language) -> str:
    return text.ar if language is Language.AR else text.en


def _values(violation: Violation, language: Language) -> Mapping[str, str]:
    card = violation.card
    values = {
        "seat": violation.seat,
        "marble": violation.marble,
        "cell": violation.cell,
        # A caller may name any number for a card.
        "card": cards.NAMES[card] if card and 0 < card < len(cards.NAMES) else None,
        "clause": violation.clause,
    }
    shown = {name: "?" if value is None else str(value) for name, value in values.items()}
    return {n: isolated(v) for n, v in shown.items()} if language is Language.AR else shown
