-- Games that were taken in as a record. They were played elsewhere, by accounts of another database, and have ended:
-- they are read by their id, and stand in nobody's lists.
create table imports (
    game_id text collate "C" primary key,
    account text collate "C" not null,  -- who brought it
    imported_at timestamptz not null default now()
);
create trigger imports_append_only before update or delete on imports
    for each row execute function refuse_change();
create trigger imports_never_truncated before truncate on imports
    for each statement execute function refuse_change();
