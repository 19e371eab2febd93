"""What Tjau tells about itself: names, options and refusals, in English and Arabic."""

from typing import Final

from hakam.games.game import Catalogue, Option, OptionKind, Text
from hakam.games.reasons import Reason
from hakam.games.tjau.rules import MAX_PIECES, RULE_SETS, Rules

__all__ = ["CATALOGUE"]

_RULE_SET_TEXTS: Final = {
    "egyptian": Text(
        "The basic game: the Egyptian board, seven pieces, marks protect",
        "الطريقة الأساسية: اللوح المصري وسبع قطع، والعلامة تحمي",
    ),
    "babylon": Text(
        "The tablet of Babylon: five pieces, otherwise the basic game",
        "لوح بابل: خمس قطع، والباقي كالطريقة الأساسية",
    ),
    "throw_only": Text(
        "The mark is only a throw: marks do not protect, otherwise the basic game",
        "العلامة رمية فقط: العلامة لا تحمي، والباقي كالطريقة الأساسية",
    ),
    "ur": Text(
        "The board of Ur: a path of fourteen squares, seven pieces, rosettes protect",
        "لوح أور: طريق من أربع عشرة خانة وسبع قطع، والوردة تحمي",
    ),
}

_OPTIONS: Final = (
    Option(
        "board",
        OptionKind.CHOICE,
        "W4.3",
        Text("The board", "اللوح"),
        choices=(
            ("egyptian", Text("Egyptian, sixteen squares", "اللوح المصري، ست عشرة خانة")),
            ("ur", Text("Ur, fourteen squares", "لوح أور، أربع عشرة خانة")),
        ),
    ),
    Option(
        "pieces",
        OptionKind.INT,
        "W1.4",
        Text("Pieces of each player", "عدد قطع كل لاعب"),
        low=1,
        high=MAX_PIECES,
    ),
    Option(
        "mark_protects",
        OptionKind.BOOL,
        "W3.5",
        Text("A piece on a mark cannot be captured", "القطعة الواقفة على علامة محمية من الضرب"),
    ),
    Option(
        "first",
        OptionKind.SEAT,
        "W4.2",
        Text("Who throws first", "من يرمي أولًا"),
        choices=(("chance", Text("Drawn by lot", "بالقرعة")),),
        high=1,
    ),
)

_REASONS: Final = {
    Reason.GAME_OVER: Text("The game is over.", "انتهت اللعبة."),
    Reason.CHANCE_IS_DUE: Text(
        "It has not been drawn yet who throws first.", "لم تُجرَ القرعة بعدُ على من يرمي أولًا."
    ),
    Reason.WRONG_PHASE: Text(
        "A turn is a throw and then one move with it.", "الدور رمية ثم نقلة واحدة بها."
    ),
    Reason.NO_PIECE_IN_HAND: Text("You have no piece left to enter.", "لم تبقَ في يدك قطعة تُدخلها."),
    Reason.NO_PIECE_ON_SQUARE: Text(
        "You have no piece on square {cell}.", "ليست لك قطعة على الخانة {cell}."
    ),
    Reason.OWN_PIECE_ON_TARGET: Text(
        "Your own piece stands on square {cell}.", "على الخانة {cell} قطعة لك."
    ),
    Reason.MARK_PROTECTS: Text(
        "The piece on square {cell} stands on a mark, which protects it.",
        "القطعة التي على الخانة {cell} واقفة على علامة تحميها.",
    ),
    Reason.BEYOND_BEARING_OFF: Text(
        "The throw is too high: a piece leaves the board only by the exact throw.",
        "الرمية أكبر من اللازم: لا تخرج القطعة إلا برمية مضبوطة.",
    ),
}

CATALOGUE: Final[Catalogue[Rules]] = Catalogue(
    id="tjau",
    revision=1,
    name=Text("Tjau (Twenty Squares)", "تجاو (العشرين خانة)"),
    rule_sets=RULE_SETS,
    rule_set_texts=_RULE_SET_TEXTS,
    options=_OPTIONS,
    reasons=_REASONS,
)
