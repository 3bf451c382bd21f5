"""What the scoring engine says in codes, said to people."""

from scoring.texts.clauses import clause_text
from scoring.texts.lists import joined, joined_and, joined_clauses, joined_parts
from scoring.texts.names import fan_name, form_name, rulebook_called, rulebook_name
from scoring.texts.problems import problem_sentence
from scoring.texts.reasons import difference_sentence, improvement_sentence, reason_sentence, with_sentences
from scoring.texts.tiles import tile_name

__all__ = [
    "clause_text",
    "difference_sentence",
    "fan_name",
    "form_name",
    "improvement_sentence",
    "joined",
    "joined_and",
    "joined_clauses",
    "joined_parts",
    "problem_sentence",
    "reason_sentence",
    "rulebook_called",
    "rulebook_name",
    "tile_name",
    "with_sentences",
]
