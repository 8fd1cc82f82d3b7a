"""All kinds of mistakes."""

from tools.planting import accesses, arithmetic, host, launches, synchronisation

KINDS = (*synchronisation.KINDS, *accesses.KINDS, *arithmetic.KINDS, *launches.KINDS, *host.KINDS)
