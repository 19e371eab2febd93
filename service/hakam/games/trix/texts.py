"""What people read: the catalogue and the refusals, in English and Arabic."""

from typing import Final

from hakam.games.game import Catalogue, Option, OptionKind, Text
from hakam.games.reasons import Reason
from hakam.games.trix.rules import RULE_SETS, Rules

__all__ = ["CATALOGUE"]

_OPTIONS: Final = (
    Option(
        "doubling",
        OptionKind.CHOICE,
        "T4.2",
        Text(
            "Whether the king of hearts and the queens may be doubled before the first lead",
            "هل تجوز مضاعفة شيخ الكبة والبنات قبل لعب الورقة الأولى",
        ),
        (
            ("optional", Text("Their holder may double them", "لصاحب الورقة أن يضاعفها")),
            ("off", Text("No doubling", "بلا مضاعفة")),
        ),
    ),
    Option(
        "play_out",
        OptionKind.BOOL,
        "T2.4",
        Text(
            "Play trick deals to the last card, even when nothing is left to score",
            "إكمال لعب الدقوق حتى آخر ورقة وإن لم يبق ما يحسب",
        ),
    ),
    Option(
        "first_owner",
        OptionKind.SEAT,
        "T1.2",
        Text("The owner of the first kingdom", "صاحب المملكة الأولى"),
        (
            (
                "seven_of_hearts",
                Text("Whoever is dealt the seven of hearts", "من توزع له سبعة الكبة"),
            ),
        ),
        high=3,
    ),
    Option(
        "partnership",
        OptionKind.BOOL,
        "T9.1",
        Text(
            "Partners: seats 0 and 2 against 1 and 3, their scores summed",
            "شراكة: المقعدان 0 و2 ضد المقعدين 1 و3، ويجمع رصيد كل شريكين",
        ),
    ),
    Option(
        "kingdom_form",
        OptionKind.CHOICE,
        "T9.2",
        Text("The deals of a kingdom", "ألعاب المملكة الواحدة"),
        (
            (
                "five_deals",
                Text("The five contracts, one deal each", "الألعاب الخمسة، لكل منها توزيعة"),
            ),
            (
                "two_deals",
                Text(
                    "A complex deal, all penalties at once, and one of Trix",
                    "توزيعة كومبلكس تجمع كل العقوبات، وتوزيعة تركس",
                ),
            ),
        ),
    ),
)

_RULE_SET_TEXTS: Final = {
    "standard": Text(
        "Trix: each for himself, four kingdoms of five deals",
        "تركس: كل لاعب لنفسه، أربع ممالك في كل منها خمس ألعاب",
    ),
    "partners": Text(
        "Partners' Trix: two pairs, four kingdoms of five deals",
        "تركس شراكة: فريقان، أربع ممالك في كل منها خمس ألعاب",
    ),
    "complex": Text(
        "Complex Trix: each for himself, four kingdoms of two deals",
        "تركس كومبلكس: كل لاعب لنفسه، أربع ممالك في كل منها لعبتان",
    ),
    "complex_partners": Text(
        "Partners' complex Trix: two pairs, four kingdoms of two deals",
        "تركس كومبلكس شراكة: فريقان، أربع ممالك في كل منها لعبتان",
    ),
}

_REASONS: Final = {
    Reason.GAME_OVER: Text("The game is over.", "انتهت اللعبة."),
    Reason.CHANCE_IS_DUE: Text("The cards have not been dealt yet.", "لم توزع الأوراق بعد."),
    Reason.WRONG_PHASE: Text(
        "This cannot be done now: the deal goes from the contract to doubling to the cards.",
        "لا يصح هذا الآن: تختار اللعبة أولا، ثم تكون المضاعفة، ثم تلعب الأوراق.",
    ),
    Reason.CONTRACT_NOT_IN_GAME: Text(
        "There is no such contract in this game.", "لا توجد لعبة كهذه في هذا النوع من التركس."
    ),
    Reason.CONTRACT_ALREADY_PLAYED: Text(
        "This contract has already been played in this kingdom.",
        "سبق لعب هذه اللعبة في هذه المملكة.",
    ),
    Reason.CARD_NOT_IN_HAND: Text("This card is not in your hand.", "هذه الورقة ليست في يدك."),
    Reason.CARD_NOT_DOUBLABLE: Text(
        "{card} cannot be doubled in this contract.", "لا تجوز مضاعفة {card} في هذه اللعبة."
    ),
    Reason.CARDS_OUT_OF_ORDER: Text(
        "Name each doubled card once, in the order clubs, diamonds, hearts, spades.",
        "اذكر كل ورقة مضاعفة مرة واحدة، بترتيب السباتي ثم الديناري ثم الكبة ثم البستوني.",
    ),
    Reason.MUST_FOLLOW_SUIT: Text(
        "Follow suit: {card} was led, and you hold a card of its suit.",
        "عليك أن تلعب من نوع الورقة الأولى {card} ما دمت تملك منه.",
    ),
    Reason.CARD_NOT_PLAYABLE: Text(
        "{card} must lie on the table first.", "يجب أن تكون {card} على الطاولة أولا."
    ),
}

CATALOGUE: Final[Catalogue[Rules]] = Catalogue(
    "trix",
    1,
    Text("Trix", "تركس"),
    RULE_SETS,
    _RULE_SET_TEXTS,
    _OPTIONS,
    _REASONS,
)
