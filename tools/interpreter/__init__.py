"""A plain interpreter of kernels over the IR: one thread after the other, concrete numbers, real memory.

Written apart from the warp model in cudalint/simt, to judge it. A kernel is translated to Python
(translate.py), its threads are generators that stop at barriers and warp operations (threads.py), memory is
bytes (memory.py). What it cannot run, it says (stop.py). conflicts.py finds races in what the threads did,
and those that a removed barrier would let happen.
"""
