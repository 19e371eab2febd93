"""Every reason for which Hakam says no: the names of the wire enum `Reason` without its prefix.

A reason is stable and is what programs branch on; texts for people stand beside the games.
"""

from enum import StrEnum, auto

__all__ = ["Reason"]


class Reason(StrEnum):
    """One word for each way to be wrong. A test holds this list equal to the wire's."""

    @staticmethod
    def _generate_next_value_(name: str, *_: object) -> str:
        return name

    # A request that cannot be read.
    REQUEST_MALFORMED = auto()
    FIELD_UNKNOWN = auto()
    FIELD_MISSING = auto()
    FIELD_NOT_ALLOWED = auto()
    VALUE_OUT_OF_RANGE = auto()
    VALUE_UNKNOWN = auto()
    LENGTH_OUT_OF_RANGE = auto()
    NOTATION_INVALID = auto()
    RULES_INVALID = auto()
    REVISION_UNSUPPORTED = auto()
    CHANCE_VERSION_UNSUPPORTED = auto()
    GAME_MISMATCH = auto()

    # A state that cannot be.
    STATE_INVALID = auto()
    DUPLICATE = auto()
    CARD_MISSING = auto()
    COUNT_WRONG = auto()
    PHASE_INCONSISTENT = auto()

    # A move that may not be played, in any game.
    NOT_YOUR_TURN = auto()
    PLY_MISMATCH = auto()
    GAME_OVER = auto()
    CHANCE_IS_DUE = auto()
    NO_CHANCE_IS_DUE = auto()
    CHANCE_IS_SEEDED = auto()
    WRONG_PHASE = auto()
    CARD_NOT_IN_HAND = auto()

    # Tjau.
    NO_PIECE_IN_HAND = auto()
    NO_PIECE_ON_SQUARE = auto()
    OWN_PIECE_ON_TARGET = auto()
    MARK_PROTECTS = auto()
    BEYOND_BEARING_OFF = auto()

    # Trix.
    CONTRACT_ALREADY_PLAYED = auto()
    MUST_FOLLOW_SUIT = auto()
    CARD_NOT_PLAYABLE = auto()
    CARD_NOT_DOUBLABLE = auto()
    CONTRACT_NOT_IN_GAME = auto()
    CARDS_OUT_OF_ORDER = auto()

    # Jackaroo.
    ACTION_NOT_ON_CARD = auto()
    STEPS_NOT_ON_CARD = auto()
    NOT_YOUR_MARBLE = auto()
    MARBLE_NOT_ON_TRACK = auto()
    MARBLE_IN_BASE = auto()
    MARBLE_PROTECTED = auto()
    OWN_MARBLE_BLOCKS = auto()
    PROTECTED_MARBLE_BLOCKS = auto()
    ENTRANCE_BARRED = auto()
    GOAL_OVERSHOT = auto()
    GOAL_BLOCKED = auto()
    NO_MARBLE_IN_BASE = auto()
    OWN_MARBLE_ON_START = auto()
    SAME_MARBLE_TWICE = auto()
    SPLIT_NOT_SEVEN = auto()
    SWAP_NOT_ALLOWED = auto()
    NEXT_HAND_EMPTY = auto()
    POSITION_NOT_IN_HAND = auto()
    POSITION_NOT_WANTED = auto()
    BURN_NOT_ALLOWED = auto()
    BURN_SPECIAL_FIRST = auto()
    JOKER_FACE_MISSING = auto()
    JOKER_FACE_NOT_ALLOWED = auto()
    NO_SUCH_MARBLE = auto()

    # Doors and limits.
    CREDENTIAL_MISSING = auto()
    CREDENTIAL_WRONG = auto()
    PLAIN_STATE_REFUSED = auto()
    ADMISSION_REFUSED = auto()
    SEAL_MALFORMED = auto()
    SEAL_VERSION_UNSUPPORTED = auto()
    SEAL_KEY_UNKNOWN = auto()
    SEAL_REFUSED = auto()
    REQUEST_TOO_LARGE = auto()
    ANSWER_TOO_LARGE = auto()
    TOO_MANY_ITEMS = auto()
    RECORD_TOO_LONG = auto()
    OVERLOADED = auto()
    DRAINING = auto()
    DEADLINE_EXCEEDED = auto()
    NOT_BUILT = auto()
    INTERNAL = auto()
