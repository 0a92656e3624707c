"""Errors which mean that the database cannot be used now."""

from __future__ import annotations

import asyncpg


class NotPrepared(Exception):
    """The database is being restored, or was restored from a backup and not prepared: it must not be used as it is."""


class Unavailable(Exception):
    """The database is unreachable: whether the command was done is unknown. The message says what is wrong."""


class EpochChanged(Unavailable):
    """The log has another epoch than the node that asked: the process starts another node on it."""

    def __init__(self) -> None:
        super().__init__("the service is restarting, because the event log has another epoch")


LOST = (
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,  # shut down, crashed, starting, a statement canceled from outside
    asyncpg.InsufficientResourcesError,  # no disk, no memory, no connection to spare
    asyncpg.PostgresSystemError,  # a disk that fails
    asyncpg.TransactionRollbackError,  # a deadlock with other work in the database
    asyncpg.LockNotAvailableError,
    asyncpg.ReadOnlySQLTransactionError,  # a standby, as after a switch of roles
    asyncpg.InvalidAuthorizationSpecificationError,  # these three come from connecting, never from a statement
    asyncpg.InvalidCatalogNameError,
    asyncpg.ObjectNotInPrerequisiteStateError,
    NotPrepared,
    asyncpg.UndefinedTableError,  # a backup is being restored over the schema
    asyncpg.InvalidCachedStatementError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,  # asyncpg: a connection that was closed while idle in the pool
    OSError,
    TimeoutError,
)
"""What a statement raises when the database is unreachable or cannot work now."""


def is_lost(error: Exception) -> bool:
    """Whether the database cannot be used now, rather than refused this statement."""
    return isinstance(error, (*LOST, Unavailable))
