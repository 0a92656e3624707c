-- What counts against the quotas of an account: tables that it has opened and seats that it has taken, while they wait.
-- The primary key lets no two processes hand out one slot; slots of games that no longer wait are freed when an account
-- has used up all of them (service/limits/quotas.py). It may be emptied: then what waits at that moment is not counted.
create table quota_slots (
    account text collate "C" not null,
    kind text not null check (kind in ('tables', 'seats')),
    slot bigint not null,
    game_id text collate "C" not null,
    taken_at timestamptz not null default now(),
    primary key (account, kind, slot),
    unique (account, kind, game_id)
);
