"""Records: a whole game as a file that anyone can verify without the service that it was played on.

A record is text in UTF-8, one JSON object a line, each line in the one form that the structs of `form.py` encode to
(members in their order, no space, the shortest escapes) and ended by one line feed:

1. `record`: the game's id, its title, and its component set with its whole text, so that the rules can be bound to it;
2. `event`, for version 1, 2, 3 ...: what the log says of it, its hash, and `data`, the stored bytes that were hashed;
3. `end`: how many events there are, the last one's hash, whether the record is complete, and the SHA-256 of all bytes
   before this line.

The digest finds damage, and anyone can write another one. What cannot be forged is the hash chain (`proof.py`):
the hash of each version was published when it happened, and so was the commitment to the seed; the seed itself is
published by the event that ends the game. So a complete record shows, to anyone who has a hash, that nothing
up to there was changed, left out or put in afterwards; and, since every draw derives from the seed and from what the
seats added before the start, that none of it was chosen by anybody. What was
decided by the rules that are installed is decided once more and must give the same bytes.

While a game runs its record is redacted for its reader, and says that it is not complete. Its hashes are the true
ones: they pin what is hidden, and can be held against the complete record later.
"""
