"""The arithmetic behind four columns: a group of n elements with the multipliers 1, x and x².

Four columns of n players can be seated for n sessions without a repeat when a group of order n has
multipliers 1, x, y whose differences, like themselves, lose no element. In Z_m without factors 2 and 3
these are 1, 2, 3; in the polynomials over F_2 or F_3 modulo f they are 1, x, x², if f has none of the roots
0, 1, −1.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Group:
    """Z_2^twos × Z_3^threes × Z_rest; elements are numbered 0 … order − 1 in mixed radix."""

    twos: int
    threes: int
    rest: int

    @classmethod
    def of_order(cls, order: int) -> Group | None:
        """The group of that order, or None when 2 or 3 divides it exactly once (no multipliers then)."""
        twos, rest = _divided_out(order, 2)
        threes, rest = _divided_out(rest, 3)
        return None if 1 in (twos, threes) else cls(twos, threes, rest)

    @property
    def order(self) -> int:
        return _power(2, self.twos) * _power(3, self.threes) * self.rest

    def add(self, one: int, other: int) -> int:
        a2, a3, a = self._parts(one)
        b2, b3, b = self._parts(other)
        return self._number(a2 ^ b2, _add_threes(a3, b3), (a + b) % self.rest)

    def multiples(self, element: int) -> tuple[int, int, int]:
        """The element times 1, x and x² (1, 2 and 3 in the part without factors 2 and 3)."""
        part2, part3, part = self._parts(element)
        products = [element]
        for factor in (2, 3):
            part2, part3 = _times_x(part2, 2, self.twos), _times_x(part3, 3, self.threes)
            products.append(self._number(part2, part3, part * factor % self.rest))
        return products[0], products[1], products[2]

    def _parts(self, element: int) -> tuple[int, int, int]:
        element, part2 = divmod(element, _power(2, self.twos))
        part, part3 = divmod(element, _power(3, self.threes))
        return part2, part3, part

    def _number(self, part2: int, part3: int, part: int) -> int:
        return (part * _power(3, self.threes) + part3) * _power(2, self.twos) + part2


def _power(base: int, exponent: int) -> int:
    """The power as a whole number; ``**`` with a negative exponent would not be one."""
    return int(base**exponent)


def _divided_out(number: int, prime: int) -> tuple[int, int]:
    """How often the prime divides the number, and what is left."""
    exponent = 0
    while number % prime == 0:
        number //= prime
        exponent += 1
    return exponent, number


def _add_threes(one: int, other: int) -> int:
    """Add digit by digit modulo 3."""
    total, place = 0, 1
    while one or other:
        one, mine = divmod(one, 3)
        other, theirs = divmod(other, 3)
        total += (mine + theirs) % 3 * place
        place *= 3
    return total


def _times_x(element: int, prime: int, degree: int) -> int:
    """Times x modulo f, the digits of ``element`` in base ``prime`` being coefficients.

    f is x^d + x + 1 over F_2; over F_3 it is x^d − x + 1 for odd and x^d + 1 for even d. None has a root.
    """
    carry, kept = divmod(element * prime, _power(prime, degree))
    if prime == 2:
        return kept ^ 3 if carry else kept
    equals = 2 if degree % 2 == 0 else 3 + 2
    for _ in range(carry):
        kept = _add_threes(kept, equals)
    return kept
