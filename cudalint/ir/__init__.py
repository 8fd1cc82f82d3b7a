"""The intermediate representation: types, expressions, statements, functions, units. Plain frozen data,
picklable.
"""
