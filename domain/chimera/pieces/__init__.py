"""The pieces, in the order of the rulebook: each is one record with its rules and its English and Japanese text."""
