"""Votes, shuffles, matches and warp barriers: which lanes come to each call, and what its mask says of them.

A `_sync` call is wrong where a lane that executes it is not named by its own mask, where the mask names a
lane that is alive and elsewhere, and where a lane takes a value from one that has none to give. Lanes that
are in doubt count as there; masks that hang on numbers nobody knows are not judged. A named lane that is not
there now may come to the same kind of call elsewhere, so who is missing is told at the end, by how often each
lane made such calls. What a shuffle takes from a lane without a value matters only where it comes to a lane
whose result is used: the first of its segment for `down`, any for the others; it is followed through the
halving steps of a reduction by the variable that is shuffled.
"""

from typing import Any, cast

import numpy as np
from msgspec import Struct, field

from cudalint.cuda.effects import SHUFFLES
from cudalint.cuda.warp import WARP
from cudalint.ir import expressions as e
from cudalint.simt.values.different import different
from cudalint.simt.values.lanes import BY_BLOCK, BY_WARP, Bools, Value
from cudalint.simt.values.samples import Samples
from cudalint.simt.values.state import Split, State

ALL = (1 << WARP) - 1
_BITS = np.arange(WARP, dtype=np.int64)


class WarpSite(Struct):
    """One call in the source. here: lanes that surely came; absent: lanes named that were not there; unnamed:
    lanes that their own mask leaves out; empty: lanes whose result comes from one that had none to give, with
    one such pair of lanes, taken: (who takes, who gives). Of the first fault: condition, what parted the
    lanes; came, who came to the call; left, who had ended; chance, whether numbers made up for each warp or
    block had a part in it.
    """

    node: e.Call
    here: Bools
    absent: Bools
    unnamed: Bools
    empty: Bools
    full: bool = True
    partial: bool = False  # a thread of a warp that came surely did not
    mask: int | None = None
    width: int | None = None
    taken: tuple[int, int] | None = None
    condition: e.Expression | None = None
    came: Bools | None = None
    left: Bools | None = None
    chance: bool = False
    stamp: int = 0
    together: bool = False  # the last execution was with a mask of all lanes


class _Chain(Struct):
    """A variable that is shuffled down in halving steps: the last step, the lanes whose value is lost, and
    the first pair of lanes at which one was.
    """

    step: int
    lost: Bools
    pair: tuple[int, int] | None = None


class WarpCalls(Struct):
    """What a run saw of the calls of warps. times: how often each lane made a call of that name. clock: how
    many calls were executed.
    """

    sites: dict[int, WarpSite] = field(default_factory=dict)
    times: dict[str, np.ndarray] = field(default_factory=dict)
    chains: dict[int, _Chain] = field(default_factory=dict)
    clock: int = 0

    def site(self, node: e.Call, samples: Samples) -> WarpSite:
        found = self.sites.get(id(node))
        if found is None:
            none = np.zeros(samples.lanes, dtype=bool)
            found = self.sites[id(node)] = WarpSite(node, none, none, none, none)
        return found

    def doubt(self, since: int) -> None:
        """A loop that made calls after `since` may end at different times for the lanes of a warp."""
        for site in self.sites.values():
            site.full &= site.stamp <= since

    def uneven(self, since: int, trips: np.ndarray, split: Split, state: State) -> None:
        """A loop is cut short; each active lane still goes round `trips` times and comes to the calls that
        were executed after `since` each time.
        """
        each = np.where(state.mask, trips, -1).reshape(-1, WARP)
        most = each.max(axis=1, keepdims=True)
        absent = ((each >= 0) & (each < most)).ravel() & state.samples.everyone
        if not absent.any():
            return
        here = ((each == most) & (most > 0)).ravel()
        repeated = [site for site in self.sites.values() if site.stamp > since]
        for site in repeated:
            site.full, site.partial = False, True
            if site.together:
                other = int(absent.argmax())
                caller = int((here & _warps_of(absent)).argmax())
                _note(state, site, np.full(len(here), ALL), caller, other, split, here)
                site.here, site.absent = site.here | here, site.absent | absent
        for name in {site.node.name for site in repeated}:
            self.times[name] = self.times[name] + np.where(state.mask, trips, 0)


def met(
    calls: WarpCalls, state: State, node: e.Call, values: list[Any], source: np.ndarray | None = None
) -> None:
    """One execution of such a call by the active lanes. source: the lane that each takes a value from."""
    site = calls.site(node, state.samples)
    calls.clock += 1
    site.stamp, site.together = calls.clock, False
    sure = state.mask & ~state.doubt if state.any_doubt else state.mask
    together = bool(sure.all())
    if not together:
        rows = state.mask.reshape(-1, WARP)
        site.full &= not state.any_doubt and bool((rows.all(axis=1) == rows.any(axis=1)).all())
        site.partial |= bool((_warps_of(sure) & state.samples.everyone & ~state.mask).any())
    site.here = site.here | sure
    times = calls.times.setdefault(node.name, np.zeros(state.samples.lanes, dtype=np.int64))
    times += state.mask
    _width(site, node, values)
    if not node.name.endswith("_sync") and node.name != "__syncwarp":
        return
    named = _named(values[0] if values else Value(ALL))
    if named is None:
        return
    site.together = isinstance(named, int) and named == ALL
    faultless = together and site.together
    every = np.broadcast_to(named, (state.samples.lanes,))
    if not faultless:
        _judge(state, site, sure, every)
    if source is not None:
        chain = _chain(calls, state, node, values[2]) if SHUFFLES[node.name] == "down" else None
        if not faultless or (chain is not None and chain.lost.any()):
            _take(state, site, sure, every, source, chain)


def _width(site: WarpSite, node: e.Call, values: list[Any]) -> None:
    """Remember the width of a shuffle where it is a number."""
    place = 3 if node.name.endswith("_sync") else 2
    width = values[place] if node.name in SHUFFLES and len(values) > place else None
    if isinstance(width, Value) and width.is_scalar and not width.free and not isinstance(width.data, float):
        site.width = int(cast(int, width.data))


def _named(mask: Any) -> np.ndarray | int | None:
    """The mask that each lane passes, one number where all pass the same; None where it is not sure."""
    if not isinstance(mask, Value) or mask.known is not True or mask.free:
        return None
    numbers = np.asarray(mask.data)
    if numbers.dtype.kind not in "ib":
        return None
    named = numbers.astype(np.int64) & ALL
    return named if named.ndim else int(named)


def _judge(state: State, site: WarpSite, sure: Bools, named: np.ndarray) -> None:
    """Lanes that call and are not named; lanes that are named, alive and not here."""
    lane = np.arange(state.samples.lanes) % WARP
    unnamed = sure & ((named >> lane) & 1 == 0)
    wanted = np.bitwise_or.reduce(np.where(sure, named, 0).reshape(-1, WARP), axis=1)
    asked = ((wanted[:, None] >> _BITS) & 1).astype(bool).ravel()
    absent = asked & state.samples.everyone & ~state.mask & ~state.frames[0].returned
    if unnamed.any() or absent.any():
        caller = int((unnamed | (_warps_of(absent) & sure)).argmax())
        if sure[caller]:
            _note(state, site, named, caller, int(absent.argmax()) if absent.any() else caller)
            site.unnamed = site.unnamed | unnamed
            site.absent = site.absent | (absent & _warps_of(sure))


def _warps_of(lanes: Bools) -> Bools:
    """All lanes of the warps in which any of the lanes is."""
    return np.repeat(lanes.reshape(-1, WARP).any(axis=1), WARP)


def _note(
    state: State,
    site: WarpSite,
    named: np.ndarray,
    caller: int,
    other: int,
    end: Split | None = None,
    came: Bools | None = None,
) -> None:
    """Keep the mask and what parts the two lanes, of the first fault of a site. end: of a loop that parts
    them in iterations that are not run; came: who comes in the last of them.
    """
    if site.mask is not None:
        return
    site.mask = int(named[caller])
    site.came, site.left = state.mask if came is None else came, state.frames[0].returned
    left = next((one for one in reversed(state.exits) if one.mask[other]), None)
    split = next((one for one in reversed(state.splits) if one.mask[other]), None)
    parted = end or left or split
    site.condition = parted.condition if parted else None
    whys = (*state.splits, *(one for one in (left, end) if one is not None))
    site.chance = any(one.free & (BY_WARP | BY_BLOCK) for one in whys)


def _take(
    state: State,
    site: WarpSite,
    sure: Bools,
    named: np.ndarray,
    source: np.ndarray,
    chain: _Chain | None,
) -> None:
    """Lanes that take a value from a lane that is not here or that their mask does not name. chain: of the
    halving steps that the shuffle is one of.
    """
    own, rule = np.arange(state.samples.lanes), SHUFFLES[site.node.name]
    gives = state.mask[source] & ((named >> (source % WARP)) & 1 == 1)
    empty = used = sure & (source != own) & ~gives
    if chain is not None:
        chain.lost = chain.lost | (sure & (empty | chain.lost[source]))
        if chain.pair is None and empty.any():
            chain.pair = int(empty.argmax()), int(source[int(empty.argmax())])
        used = chain.lost & sure
    if rule == "down":
        used = used & (own % WARP % (site.width or WARP) == 0)
    if used.any():
        first = int(used.argmax())
        at_once = (first, int(source[first])) if empty[first] else None
        taken = at_once or (chain.pair if chain else None) or (first, first)
        _note(state, site, named, *taken)
        site.taken = site.taken or taken
        site.empty = site.empty | used


def _chain(calls: WarpCalls, state: State, node: e.Call, operand: Value) -> _Chain | None:
    """The halving steps that a shuffle down of a variable is one of; one that is no smaller begins anew."""
    shuffled = node.arguments[1]
    while isinstance(shuffled, e.Cast):
        shuffled = shuffled.operand
    steps = different(np.broadcast_to(np.asarray(operand.data), state.mask.shape)[state.mask])
    if len(steps) != 1 or not isinstance(shuffled, e.VariableReference):
        return None
    chains, key, step = calls.chains, shuffled.variable.id, int(steps[0])
    if key not in chains or step >= chains[key].step:
        chains[key] = _Chain(step, state.none())
    chains[key].step = step
    return chains[key]
