"""The catalogue of Jackaroo: its options and refusals in words, English and Arabic.

Templates name what stands in the way by {seat}, {marble}, {cell} and {card}, the rule by {clause}.
"""

from types import MappingProxyType
from typing import Final

from hakam.games.game import Catalogue, Option, OptionKind, Text
from hakam.games.jackaroo.rules import RULE_SETS, Rules
from hakam.games.reasons import Reason

__all__ = ["CATALOGUE"]

_OPTIONS: Final = (
    Option(
        "seats",
        OptionKind.INT,
        "J1.2",
        Text(
            "Players: 4, or 6 in Bordaga; partners sit opposite each other",
            "عدد اللاعبين: أربعة، أو ستة في بوردقا، وكل شريكين متقابلان",
        ),
        low=4,
        high=6,
    ),
    Option(
        "dealer",
        OptionKind.SEAT,
        "J2.9",
        Text("First dealer: a seat, or drawn", "الموزّع الأول: مقعد محدّد أو بالقرعة"),
        (("chance", Text("Drawn by chance", "بالقرعة")),),
        high=5,
    ),
    Option(
        "deal",
        OptionKind.INT_LIST,
        "J2.3",
        Text(
            "Cards a player in each hand of one shuffle; by default 4-4-5 in Karoti, 13 in "
            "Bordaga, 8 in Bordaga with 6 players",
            "أوراق كل لاعب في كل يد من الخلطة الواحدة؛ المعتاد 4-4-5 في كروتي، و13 في بوردقا، "
            "و8 في بوردقا بستة لاعبين",
        ),
        low=1,
        high=13,
        max_items=13,
    ),
    Option(
        "cells_per_seat",
        OptionKind.INT,
        "J1.5",
        Text("Track cells a player", "عدد خانات المسار لكل لاعب"),
        low=10,
        high=40,
    ),
    Option(
        "entrance_distance",
        OptionKind.INT,
        "J1.5",
        Text(
            "How many cells the entrance to the goal lies before the start",
            "بُعد مدخل المرمى عن خانة البداية إلى الخلف، بالخانات",
        ),
        low=1,
        high=4,
    ),
    Option(
        "exit_with_jack",
        OptionKind.BOOL,
        "J5.O",
        Text("A Jack brings a marble out, too", "الولد يُخرج كِلّة من القاعدة أيضًا"),
    ),
    Option(
        "burn",
        OptionKind.CHOICE,
        "J2.8",
        Text(
            "Which card is burnt when none can be played",
            "أيّ ورقة تُحرق إذا لم توجد ورقة قابلة للعب",
        ),
        (
            ("any", Text("Any card", "أي ورقة")),
            ("special_first", Text("A special card first", "الورقة ذات الخاصية أولًا")),
        ),
    ),
    Option(
        "ten",
        OptionKind.CHOICE,
        "J5.10",
        Text(
            "What a Ten does to the next player instead of 10 steps",
            "ما تفعله العشرة باللاعب التالي بدل الخطوات العشر",
        ),
        (
            (
                "skip_blind",
                Text(
                    "Loses a card picked blind, and the turn",
                    "يخسر ورقة تُختار دون رؤيتها ويخسر دوره",
                ),
            ),
            (
                "skip_choice",
                Text(
                    "Burns a card of its own choice as its turn",
                    "يحرق ورقة من اختياره ويذهب بذلك دوره",
                ),
            ),
        ),
    ),
    Option(
        "jack",
        OptionKind.CHOICE,
        "J5.J",
        Text("What a Jack does", "ما يفعله الولد"),
        (
            (
                "swap_own",
                Text(
                    "Swaps one's own marble with another player's",
                    "يبدّل كِلّتك بكِلّة لاعب آخر",
                ),
            ),
            (
                "black_swap_any",
                Text(
                    "Black: swaps any two players' marbles; red: 11 steps",
                    "الأسود يبدّل أي كِلّتين للاعبَين مختلفين، والأحمر 11 خطوة",
                ),
            ),
        ),
    ),
    Option(
        "queen",
        OptionKind.CHOICE,
        "J5.Q",
        Text(
            "What a red Queen may do instead of 12 steps",
            "ما يجوز للبنت الحمراء بدل الخطوات الاثنتي عشرة",
        ),
        (
            ("plain", Text("Nothing else", "لا شيء غيرها")),
            (
                "take",
                Text(
                    "Burn a card of the next player, picked blind",
                    "حرق ورقة من يد اللاعب التالي تُختار دون رؤيتها",
                ),
            ),
            (
                "take_and_skip",
                Text(
                    "The same, and the next player loses the turn",
                    "مثل ذلك، ويخسر اللاعب التالي دوره",
                ),
            ),
        ),
    ),
    Option(
        "joker",
        OptionKind.CHOICE,
        "J5.X",
        Text("Whether a joker is in the deck", "هل في الشدّة جوكر"),
        (
            ("none", Text("No joker", "بلا جوكر")),
            (
                "wild",
                Text(
                    "One joker for the two of clubs; it is played as any card",
                    "جوكر واحد بدل اثنين السنك، يُلعب كأي ورقة",
                ),
            ),
        ),
    ),
)

_REASONS: Final = {
    Reason.GAME_OVER: Text("The game is over.", "انتهت اللعبة."),
    Reason.CHANCE_IS_DUE: Text(
        "The cards come first: nobody is to move yet.",
        "التوزيع أولًا: لا دور لأحد الآن.",
    ),
    Reason.WRONG_PHASE: Text(
        "Seat {seat} was hit by a Ten and must burn a card.",
        "المقعد {seat} أصابته العشرة وعليه أن يحرق ورقة.",
    ),
    Reason.NO_SUCH_MARBLE: Text(
        "There is no such marble on this board.", "لا توجد كِلّة بهذا الرقم على اللوح."
    ),
    Reason.CARD_NOT_IN_HAND: Text(
        "Seat {seat} does not hold that card.", "هذه الورقة ليست في يد المقعد {seat}."
    ),
    Reason.JOKER_FACE_MISSING: Text(
        "Say as which card the joker is played.", "حدّد الورقة التي يُلعب الجوكر بدلها."
    ),
    Reason.JOKER_FACE_NOT_ALLOWED: Text(
        "That card cannot be named as the face here.", "لا يصحّ ذكر هذه الورقة وجهًا هنا."
    ),
    Reason.ACTION_NOT_ON_CARD: Text("{card} cannot do that.", "الورقة {card} لا تفعل ذلك."),
    Reason.STEPS_NOT_ON_CARD: Text(
        "{card} does not move that many steps.", "الورقة {card} لا تتحرك هذا العدد من الخطوات."
    ),
    Reason.NOT_YOUR_MARBLE: Text(
        "Marble {marble} of seat {seat} is not yours to move.",
        "الكِلّة {marble} للمقعد {seat} ليست لك لتحرّكها.",
    ),
    Reason.MARBLE_IN_BASE: Text(
        "Marble {marble} of seat {seat} is still in its base.",
        "الكِلّة {marble} للمقعد {seat} ما زالت في القاعدة.",
    ),
    Reason.MARBLE_NOT_ON_TRACK: Text(
        "Marble {marble} of seat {seat} is in its goal, not on the track.",
        "الكِلّة {marble} للمقعد {seat} في المرمى وليست على المسار.",
    ),
    Reason.MARBLE_PROTECTED: Text(
        "Marble {marble} of seat {seat} is protected on its start.",
        "الكِلّة {marble} للمقعد {seat} محميّة على خانة بدايتها.",
    ),
    Reason.OWN_MARBLE_BLOCKS: Text(
        "A marble of the same player, number {marble} of seat {seat}, stands in the way "
        "on cell {cell}.",
        "كِلّة لصاحبها نفسه، رقم {marble} للمقعد {seat}، تسدّ الطريق في الخانة {cell}.",
    ),
    Reason.PROTECTED_MARBLE_BLOCKS: Text(
        "Marble {marble} of seat {seat} is protected on its start, cell {cell}, and stands in "
        "the way.",
        "الكِلّة {marble} للمقعد {seat} محميّة على خانة بدايتها {cell} وتسدّ الطريق.",
    ),
    Reason.ENTRANCE_BARRED: Text(
        "An opponent, marble {marble} of seat {seat}, stands on the entrance, cell {cell}.",
        "كِلّة خصم، رقم {marble} للمقعد {seat}، واقفة على مدخل المرمى، الخانة {cell}.",
    ),
    Reason.GOAL_OVERSHOT: Text(
        "The count goes past {cell}, the last cell of the goal.",
        "العدد يتجاوز {cell}، آخر خانة في المرمى.",
    ),
    Reason.GOAL_BLOCKED: Text(
        "Marble {marble} of seat {seat} stands in the way in the goal, on cell {cell}.",
        "الكِلّة {marble} للمقعد {seat} تسدّ الطريق داخل المرمى في الخانة {cell}.",
    ),
    Reason.NO_MARBLE_IN_BASE: Text(
        "Seat {seat} has no marble in its base.", "لا كِلّة في قاعدة المقعد {seat}."
    ),
    Reason.OWN_MARBLE_ON_START: Text(
        "Marble {marble} of seat {seat} stands on the start, cell {cell}.",
        "الكِلّة {marble} للمقعد {seat} واقفة على خانة البداية {cell}.",
    ),
    Reason.SAME_MARBLE_TWICE: Text(
        "A Seven is split over two different marbles.", "السبعة تُقسم بين كِلّتين مختلفتين."
    ),
    Reason.SPLIT_NOT_SEVEN: Text(
        "The two parts must be at least 1 step each and 7 together.",
        "كل جزء خطوة على الأقل، ومجموع الجزأين سبع خطوات.",
    ),
    Reason.SWAP_NOT_ALLOWED: Text(
        "These two marbles cannot be swapped so: they must be of two players, named in order.",
        "لا تُبدَّل هاتان الكِلّتان هكذا: يجب أن تكونا للاعبَين مختلفين وبالترتيب المطلوب.",
    ),
    Reason.NEXT_HAND_EMPTY: Text(
        "The next player, seat {seat}, holds no card.",
        "اللاعب التالي، المقعد {seat}، ليس في يده ورق.",
    ),
    Reason.POSITION_NOT_IN_HAND: Text(
        "Name the position of a card in the hand of seat {seat}.",
        "حدّد موضع ورقة موجودة في يد المقعد {seat}.",
    ),
    Reason.POSITION_NOT_WANTED: Text(
        "The player who is hit chooses the card; name no position.",
        "اللاعب المُصاب هو من يختار الورقة، فلا تحدّد موضعًا.",
    ),
    Reason.BURN_NOT_ALLOWED: Text(
        "{card} can be played, so nothing may be burnt.", "يمكن لعب {card}، فلا يجوز الحرق."
    ),
    Reason.BURN_SPECIAL_FIRST: Text(
        "A special card burns first, such as {card}.",
        "الورقة ذات الخاصية تُحرق أولًا، مثل {card}.",
    ),
}

CATALOGUE: Final[Catalogue[Rules]] = Catalogue(
    id="jackaroo",
    revision=1,
    name=Text("Jackaroo", "جكارو"),
    rule_sets=RULE_SETS,
    rule_set_texts=MappingProxyType(
        {
            "karoti": Text("Karoti: 4 players, hands of 4-4-5", "كروتي: أربعة لاعبين، أيادي 4-4-5"),
            "bordaga": Text(
                "Bordaga: 4 or 6 players, all cards dealt at once",
                "بوردقا: أربعة أو ستة لاعبين، والورق يوزَّع كاملًا",
            ),
        }
    ),
    options=_OPTIONS,
    reasons=MappingProxyType(_REASONS),
)
