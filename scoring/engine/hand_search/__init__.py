"""Decide whether some hand counts given fans: find one, or prove that there is none.

`structures` groups all combinations of sets and pairs (`sets`) by the fans they make together; `search` goes through
these structures and every way to meld and win them, which is complete. Each candidate is laid out in tiles and
scored: the result is a hand that the engine itself counts so. No rule is repeated here; all come from
`CompiledRulebook`.
"""
