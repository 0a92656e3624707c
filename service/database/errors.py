"""Which errors of the database say that it cannot be worked with now."""

from __future__ import annotations

import asyncpg


class NotPrepared(Exception):
    """The database was made from a backup, or is being made: it must not be worked with as it is."""


class Unavailable(Exception):
    """The database is out of reach: whether the command went in is not known. A message says what is wrong."""


LOST = (
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,  # shut down, crashed, starting, a statement canceled from outside
    asyncpg.InsufficientResourcesError,  # no disk, no memory, no connection to spare
    asyncpg.PostgresSystemError,  # a disk that fails
    asyncpg.TransactionRollbackError,  # a deadlock, with whatever else is at work in the database
    asyncpg.LockNotAvailableError,
    asyncpg.ReadOnlySQLTransactionError,  # a standby, as after a switch of roles
    asyncpg.InvalidAuthorizationSpecificationError,  # of these three none comes from a statement, all from connecting
    asyncpg.InvalidCatalogNameError,
    asyncpg.ObjectNotInPrerequisiteStateError,
    NotPrepared,
    asyncpg.UndefinedTableError,  # a backup is being put in the place of what was there
    asyncpg.InvalidCachedStatementError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,  # what asyncpg makes of a connection that was ended while it lay idle in the pool
    OSError,
    TimeoutError,
)
"""What a database that is out of reach, or that cannot do its work now, looks like to a statement."""


def is_lost(error: Exception) -> bool:
    """Whether an error says that the database cannot be worked with now, and not that it refused this statement."""
    return isinstance(error, (*LOST, Unavailable))
