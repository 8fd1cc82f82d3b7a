"""Why the elements of a range-based `for` are unknown, as `Unknown.reason`: what its body does with them."""

USED = "range-based for"  # reads them, writes them, or both
READ = "range-based for that reads"
WRITTEN = "range-based for that overwrites"
ELEMENT = "element of a range"
ALL = (USED, READ, WRITTEN, ELEMENT)
