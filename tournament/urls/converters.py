"""Parts of the quiz's addresses: one of a few words."""

from django.urls import register_converter
from django.urls.converters import StringConverter

from scoring.quiz.levels import Level
from scoring.quiz.questions import Kind


class QuizKind(StringConverter):
    regex = "|".join(kind.value for kind in Kind)


class QuizLevel(StringConverter):
    regex = "|".join(level.value for level in Level)


register_converter(QuizKind, "quiz_kind")
register_converter(QuizLevel, "quiz_level")
