"""Proofs that a kernel has no data race, or two threads that show one, for all sizes and shapes at once.

The only package that needs z3; it is imported by the command `cudalint prove` alone.
"""
