"""cudalint: a static linter for CUDA C++ that needs no GPU, no CUDA toolkit and no build."""

__version__ = "0.1.0"
