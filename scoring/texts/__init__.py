"""What the scoring engine says in codes, said to people."""

from scoring.texts.names import fan_name, rulebook_name
from scoring.texts.problems import problem_sentence
from scoring.texts.reasons import difference_sentence, improvement_sentence, reason_sentence

__all__ = [
    "difference_sentence",
    "fan_name",
    "improvement_sentence",
    "problem_sentence",
    "reason_sentence",
    "rulebook_name",
]
