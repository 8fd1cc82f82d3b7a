"""What the source does not say about a run, as many possible runs: each a draw of all unknowns.

A range with every unknown at its worst holds every run that there may be, and says nothing: that ten of them
are at their worst at once is as likely as ten dice that all show six. The draws are spread evenly over the
cube of unknowns (a Weyl sequence: the fractions of multiples of square roots of primes; Kuipers and
Niederreiter, Uniform Distribution of Sequences, 1974), the same whenever the tool runs. What is said of them
are quantiles: one run in ten is below LOW, one in ten above HIGH. Runs that take long count for more.
"""

from collections.abc import Sequence
from math import exp, hypot, log, sqrt
from typing import Any

import numpy as np
from msgspec import Struct

Column = np.ndarray[tuple[int, int], np.dtype[np.float64]]
Amounts = np.ndarray[Any, np.dtype[np.float64]]  # by draw and size, or by size alone
Amount = float | Column  # the same in all draws, or one row for each of them

LOW, HIGH = 0.1, 0.9  # quantiles
_DRAWS = 64
_PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41)


class Unknowns(Struct, frozen=True, eq=False):
    """Each in [0, 1), by draw, independent of the others.

    far: where data is, 0 in L2, 1 in device memory. missed: what L1 has of what was loaded before. apart:
    stores to one sector that nothing merges. filled: how much of a sector is there when a part of it is
    written. compiled: instructions that the compiler makes. issued: clocks from one to the next that needs
    it. further: of loads that wait for each other. serial: how little parts overlap. started: launches and
    blocks. own, others: what data leaves out, of the finding's own work and of other work. where: which
    addresses data selects. left: of what a fix is to take away.
    """

    far: Column
    missed: Column
    apart: Column
    filled: Column
    compiled: Column
    issued: Column
    further: Column
    serial: Column
    started: Column
    own: Column
    others: Column
    where: Column
    left: Column


def _drawn() -> Unknowns:
    number = np.arange(1, _DRAWS + 1, dtype=float)[:, None]
    return Unknowns(*(np.mod(number * np.sqrt(prime), 1.0) for prime in _PRIMES))


UNKNOWNS = _drawn()


def between(least: Amount, most: Amount, at: Column) -> Column:
    """Numbers that are as likely anywhere from least to most."""
    return np.asarray(least + (most - least) * at)


def times(least: float, most: float, at: Column) -> Column:
    """Numbers that are as likely to be n times the least as a part 1/n of the most."""
    return np.asarray(least * (most / least) ** at)


class Shares(Struct, frozen=True, eq=False):
    """What is saved of a time, and the time, by draw and size."""

    shares: Column
    times: Column

    @classmethod
    def of(cls, before: Amounts, after: Amounts) -> "Shares":
        times = np.atleast_2d(before)
        left = np.atleast_2d(after) / np.where(times > 0, times, 1.0)
        return cls(np.where(times > 0, 1.0 - left, 0.0), times)

    @property
    def weights(self) -> Column:
        """How much each counts, 1 in all: a size as much as the time that it takes of all sizes."""
        whole = self.times.sum(axis=1, keepdims=True)
        return np.asarray(self.times / np.where(whole > 0, whole, 1.0) / len(self.times))


def likely(found: Sequence[Shares]) -> tuple[float, float]:
    """What one in ten is below, and what one in ten is above."""
    shares = np.concatenate([one.shares.ravel() for one in found])
    weights = np.concatenate([one.weights.ravel() for one in found])
    order = np.argsort(shares, kind="stable")
    reached = np.cumsum(weights[order])
    low, high = np.searchsorted(reached, np.array((LOW, HIGH)) * reached[-1])
    last = len(order) - 1
    return float(shares[order[min(low, last)]]), float(shares[order[min(high, last)]])


def product(one: tuple[float, float], other: tuple[float, float]) -> tuple[float, float]:
    """Of two numbers that are independent and likely to lie in these ranges: their logarithms' distances from
    the middle add up as squares do.
    """
    if not one[0] or not other[0]:
        return 0.0, one[1] * other[1]
    middle = sqrt(one[0] * one[1] * other[0] * other[1])
    apart = exp(hypot(log(one[1] / one[0]), log(other[1] / other[0])) / 2)
    return middle / apart, middle * apart
