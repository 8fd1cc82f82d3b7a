"""Mistakes planted into real code, one at a time (tools/sensitivity.py): where they can stand, and what
judges them.

One file of kinds a subject: `synchronisation`, `accesses`, `arithmetic`, `launches`, `host`; `kinds` lists
them all. `judges` asks programs that share nothing with the rules, `trial` asks the rules.
"""
