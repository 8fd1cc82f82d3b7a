"""Measures the rules: compiles the pairs of a slow and a fast variant, times them, and looks at what the
compiler made of them.
"""
