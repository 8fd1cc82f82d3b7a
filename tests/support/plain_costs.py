"""What a request of a generated kernel costs, by loops over lanes, groups and banks."""

from collections import defaultdict

from tests.support.plain import Node, place


def sectors(lanes: dict[int, int], width: int) -> tuple[int, int]:
    """32-byte sectors touched and their ideal."""
    touched = len({(a + k) // 32 for a in lanes.values() for k in range(width)})
    return touched, min(touched, -(-len(lanes) * width // 32))


def served(lanes: dict[int, int], width: int) -> int:
    """Passes over 32 banks of 4 bytes for lanes that are served together: one word a bank a pass."""
    banks = defaultdict(set)
    for address in lanes.values():
        for word in range(address // 4, (address + width - 1) // 4 + 1):
            banks[word % 32].add(word)
    return max((len(words) for words in banks.values()), default=0)


def wavefronts(lanes: dict[int, int], width: int, store: bool) -> tuple[int, int]:
    """Passes for a shared access of 4 or 8 bytes and their ideal. Half-warps of 8-byte accesses are served
    apart; those of a load together where every two active lanes i and i^1, or every two i and i^2, agree.
    """
    size = len(lanes) * width
    if width == 4:
        done = served(lanes, 4)
    else:
        paired = not store and any(
            all(lanes.get(lane ^ distance, address) == address for lane, address in lanes.items())
            for distance in (1, 2)
        )
        halves = ({k: a for k, a in lanes.items() if k // 16 == half} for half in (0, 1))
        done = served(lanes, 8) if paired else sum(served(half, 8) for half in halves)
        if paired and served(lanes, 8) == 1:
            size //= 2
    return done, min(done, -(-size // 128))


def cost(node: Node, lanes: dict[int, int]) -> tuple[int, int]:
    """Transactions and ideal of all requests that one executed access of a warp makes."""
    buffer = place(node)
    if buffer.row:
        return wavefronts(lanes, buffer.width, node[0] == "store")
    moved = [{k: a + p * buffer.width for k, a in lanes.items()} for p in range(buffer.pieces)]
    counted = [sectors(piece, buffer.width) for piece in moved]
    return sum(done for done, _ in counted), sum(best for _, best in counted)
