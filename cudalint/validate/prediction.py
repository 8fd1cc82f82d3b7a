"""What the models say of a pair before anything is run."""

from pathlib import Path

from msgspec import Struct

from cudalint.engine.analysis import load_options
from cudalint.gpu.throughput import Throughput
from cudalint.host.facts import LaunchFact
from cudalint.ir.unit import Unit
from cudalint.settings.config import Settings
from cudalint.significance import launch_time
from cudalint.simt.facts.accesses.access import Access
from cudalint.simt.facts.demand import Demand
from cudalint.simt.facts.host_reads import HostRead
from cudalint.simt.facts.kernel import KernelFacts
from cudalint.validate.pairs import FILE, Pair

VARIANTS = ("bad", "good")
_COUNTED = ("memory", "shared", "divergence")  # groups of rules whose costs the cost model counts


class Model(Struct, frozen=True):
    """A pair as the models see it. launches: of each variant, in their order; unseen: kernels (by key) with
    launches whose shape the models do not know, or do not look at; host_work: the names of other calls of the
    runtime that the variants make, or what they call makes.
    """

    unit: Unit
    launches: dict[str, tuple[LaunchFact, ...]]
    kernels: dict[str, KernelFacts]
    unseen: frozenset[str] = frozenset()
    host_work: tuple[str, ...] = ()


class Prediction(Struct, frozen=True):
    """Seconds of both variants, and what each waits for."""

    bad: float
    good: float
    bad_limit: str
    good_limit: str

    @property
    def slowdown(self) -> float:
        return self.bad / self.good


PREDICTED = (Demand, HostRead)  # the facts that a prediction takes


def model(source: Path, arch: str, wanted: tuple[type, ...] = (Access, HostRead)) -> Model:
    """Run the models on a fixture. wanted: the facts of its kernels that are asked for."""
    from cudalint.frontend import load
    from cudalint.host.model import run as run_host
    from cudalint.simt.model import ModelOptions, run

    settings = Settings(arch=arch)
    unit = load(str(source), load_options(settings))
    host = run_host(unit)
    facts = run(unit, host, ModelOptions(settings.arch_number), wanted)
    launches = {
        name: tuple(one for one in host.launches if unit.functions[one.function].name == name)
        for name in VARIANTS
    }
    own = (call for call in host.calls if Path(call.span.path).name == FILE)  # not the harness'
    apart = tuple(call.name for call in own if call.kind != "launch")
    kernels = {kernel.function.key: kernel for kernel in facts}
    seen = {(key, shape.block) for key, kernel in kernels.items() for shape in kernel.configurations}
    unseen = frozenset(one.key for one in host.launches if one.key and (one.key, one.block) not in seen)
    return Model(unit, launches, kernels, unseen, apart)


def predict(pair: Pair, arch: str, rates: Throughput) -> Prediction | None:
    """The times of both variants; None where a launch is not known, and where the pair is about something
    that the cost model does not count: arithmetic other than in double, occupancy, what the host does.
    """
    if pair.group not in (*_COUNTED, "arithmetic"):
        return None
    predicted_demands = demands(model(pair.path, arch, PREDICTED))
    bad, good = (predicted_demands.get(name, ()) for name in VARIANTS)
    if not bad or not good or not all(one.counted for one in (*bad, *good)):
        return None
    if pair.group not in _COUNTED and not any(one.doubles or one.conversions for one in bad):
        return None
    return Prediction(_seconds(bad, rates), _seconds(good, rates), _limit(bad, rates), _limit(good, rates))


def demands(seen: Model) -> dict[str, tuple[Demand, ...]]:
    """What the launches of each variant ask for, each place once; only variants all of whose launches are
    known, and whose kernels have no arrays in local memory and load nothing from the host's: those are not
    counted.
    """
    from cudalint.analyses.local_arrays import local_arrays

    local = {function.key for _, function in local_arrays(seen.unit)}
    found: dict[str, tuple[Demand, ...]] = {}
    for name, every in seen.launches.items():
        launches = {(one.key, one.span, one.grid, one.block): one for one in every}.values()
        predicted_demands = [
            demand
            for launch in launches
            if launch.key in seen.kernels and launch.key not in local
            if not seen.kernels[launch.key].of(HostRead)
            for demand in seen.kernels[launch.key].of(Demand)
            if demand.configuration.where == launch.span
        ]
        if launches and len(predicted_demands) == len(launches):
            found[name] = tuple(predicted_demands)
    return found


def _seconds(each: tuple[Demand, ...], rates: Throughput) -> float:
    return sum(launch_time.seconds(one, rates) for one in each)


def _limit(each: tuple[Demand, ...], rates: Throughput) -> str:
    longest = max((launch_time.limits(one, rates)[0] for one in each), key=lambda limit: limit.seconds)
    return longest.name
