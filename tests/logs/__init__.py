"""Old logs: complete records of whole games of every rules version that was ever released, with what they fold to.

Each record (`{rules version}-{what}.ndjson`, the slash written as a dash) has a file beside it (`.states`) with a
digest of the game at each version. They are history: nothing rewrites them, and every later release must fold them to
the same states. `make golden` adds those that an installed rules version still lacks. To change rules that were
released, give them a new `rules_version` and name the old one in `Title.earlier`; the records of a version that was
never released may be deleted and made anew.
"""
