-- What service/projections folds from the log for lists. It may be thrown away: `tablelog rebuild` makes it anew.

-- Which generation of rows is served, and up to which place of the log (store/positions.py) it is complete. A rebuild
-- writes the next generation beside the one that is served, and moves this row on when it is done.
create table projection (
    only_row boolean primary key default true check (only_row),
    generation bigint not null,
    xid xid8 not null,
    position bigint not null
);
insert into projection (generation, xid, position) values (1, '0', 0);

-- One row for each game. Rows of running games change with every move: they keep room on their page, so that an
-- update touches no index.
create table lobby (
    generation bigint not null,
    game_id text collate "C" not null,
    version bigint not null,
    position bigint not null,           -- of the event that created the game: the order of lists, which never changes
    title text not null,
    component_set text not null,
    visibility text not null,
    sandbox boolean not null,           -- counts in no history, and is listed only when asked for
    delayed boolean not null,           -- what a running game's row says is not for the public yet
    creator text collate "C" not null,
    status text not null,
    seat_count bigint not null,
    open_seats bigint not null,
    to_move bigint[] not null,
    winners bigint[],                   -- null until the game has ended
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (generation, game_id)
) with (fillfactor = 70);
create index lobby_newest on lobby (generation, position);
create index lobby_newest_by_status on lobby (generation, status, position);

-- An account's games: one row for each seat that is taken, with what its account came to when the game has ended.
create table history (
    generation bigint not null,
    game_id text collate "C" not null,
    seat bigint not null,
    account text collate "C" not null,
    name text not null,
    position bigint not null,           -- as in the lobby
    rank bigint,
    points bigint,
    ended_at timestamptz,
    primary key (generation, game_id, seat)
);
create index history_newest_by_account on history (generation, account, position);

-- Games that could not be read, until they can be again.
create table unreadable_games (
    game_id text collate "C" primary key,
    version bigint not null,
    error text not null,
    noted_at timestamptz not null default now()
);
