"""Whether some hand counts some fans: it is found, or proved absent.

Hands are many, but what they claim is not. `atlas` sorts all sets and pairs (`sets`) by the fans they make together; a
`search` over them and over all ways to hold and win them is complete. What it finds is laid out in tiles and scored:
the answer is a hand that the engine itself counts so. Nothing here knows a rule; all is asked of `Tallies`.
"""
