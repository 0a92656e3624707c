-- The log and what stands beside it. Everything else is folded from the log and may be thrown away.

-- Names this history of the log: positions and cursors of one epoch say nothing in another.
create table epoch (
    only_row boolean primary key default true check (only_row),
    epoch text not null
);
insert into epoch (epoch) values (replace(gen_random_uuid()::text, '-', ''));

-- One key for all processes: signs list cursors, and makes a game's id from the idempotency key of its creation.
create table service_key (
    only_row boolean primary key default true check (only_row),
    key bytea not null check (octet_length(key) = 32)
);
insert into service_key (key) values (sha256((gen_random_uuid()::text || gen_random_uuid()::text)::bytea));

create table accounts (
    id text collate "C" primary key,
    name text not null,
    name_key text not null unique,      -- the one normal form that decides uniqueness
    token_hash bytea not null unique,   -- SHA-256 of the bearer token; the token itself is shown once and kept nowhere
    created_at timestamptz not null
);

-- Component sets by the hash of their text: a running game keeps its own, whatever becomes of the file.
create table component_sets (
    hash text collate "C" primary key,
    title text not null,
    id text not null,
    text text not null,
    added_at timestamptz not null default now()
);

create table events (
    game_id text collate "C" not null,
    version bigint not null check (version >= 1),
    type text not null,
    actor text collate "C",
    data json not null,                 -- json, not jsonb: what was hashed is what is stored, byte for byte
    rules_version text not null,
    hash bytea not null check (octet_length(hash) = 32),
    recorded_at timestamptz not null,   -- set by the application: it is part of what is hashed
    attempt uuid not null,              -- tells a retry after a lost connection that the row it meets is its own
    idempotency_key text,
    request_hash bytea,
    position bigint generated always as identity,
    xid xid8 not null default pg_current_xact_id(),
    primary key (game_id, version)
);

-- The key is scoped to account, game and route (each route writes one type of event).
create unique index events_idempotency on events (game_id, actor, type, idempotency_key)
    where idempotency_key is not null;

-- The order in which a reader of the whole log goes. A sequence alone is not safe: a number is handed out before its
-- row can be seen, so a reader could pass 101 while 100 is uncommitted. See store/positions.py.
create index events_in_order on events (xid, position);

create function refuse_change() returns trigger language plpgsql as $$
begin
    raise exception 'the log is append-only: % on % is refused', tg_op, tg_table_name
        using errcode = 'restrict_violation';
end
$$;

create trigger events_append_only before update or delete on events
    for each row execute function refuse_change();
create trigger events_never_truncated before truncate on events
    for each statement execute function refuse_change();

-- The secret seed of each game: written with its first event, and told by the event that ends it.
create table seeds (
    game_id text collate "C" primary key,
    seed bytea not null check (octet_length(seed) = 32)
);
create trigger seeds_append_only before update or delete on seeds
    for each row execute function refuse_change();
create trigger seeds_never_truncated before truncate on seeds
    for each statement execute function refuse_change();
