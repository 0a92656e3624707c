"""Limits on what one account or one client address may use: windows, counts of what is open, and quotas.

`limiter` is the one place that decides; `serving`, the sockets and the commands ask it. Nothing here waits on the path
of a request except the quotas, which are rows of the database.
"""
