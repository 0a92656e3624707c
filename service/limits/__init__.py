"""Limits on what one account or one client address may use: windows, counts of what is open, and quotas.

`limiter` decides for requests, sockets and commands. Nothing here waits on the path of a request except the quotas,
which are rows of the database.
"""
