"""Codes → sentences, in the language of the moment: one module a subject.

Words never query: names come in as arguments.
"""
