"""Why a calibration cannot continue. Imports little: a page knows the error before anybody calibrates."""

from companion.language.sentence import Sentence, SentenceError


class GuideError(SentenceError):
    """The calibration cannot continue; ``sentence`` says why and what to do.

    ``kind``: camera, busy, over, taken, changed or wrong.
    """

    def __init__(self, sentence: Sentence, kind: str = "wrong") -> None:
        super().__init__(sentence)
        self.kind = kind
