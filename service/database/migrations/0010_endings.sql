-- A column marks the event that ends a game: true there, null everywhere else. Readers need not search texts for it.
-- Migration 0011 fills it in for the events that are there already.
alter table events add column ends_game boolean;

-- Who may still write without this column: processes of earlier releases, at work during the upgrade and after it, and
-- whoever takes in a record. A trigger was chosen for them because it leaves nothing to catch up with: from here on no
-- ending is ever without its mark, so migration 0011 looks through the events before this one once, and readers need no
-- second condition. A generated column would write the whole table anew under an exclusive lock. The condition stands
-- in the trigger, so that other events cost no call; no text in an event is taken for it, since quotation marks are
-- escaped there.
create function mark_ending() returns trigger language plpgsql as $$
begin
    new.ends_game := true;
    return new;
end
$$;

create trigger events_mark_ending before insert on events
    for each row when (new.ends_game is null and new.data::text like '%"type":"game.ended"%')
    execute function mark_ending();

-- The log stays append-only but for one change: an ending without its mark gets it. *= compares bytes.
create function refuse_event_change() returns trigger language plpgsql as $$
declare
    unmarked events;
begin
    if tg_op = 'UPDATE' and old.ends_game is null and new.ends_game
       and old.data::text like '%"type":"game.ended"%' then
        unmarked := new;
        unmarked.ends_game := null;
        if unmarked *= old then
            return new;
        end if;
    end if;
    raise exception 'the log is append-only: % on % is refused', tg_op, tg_table_name
        using errcode = 'restrict_violation';
end
$$;

create or replace trigger events_append_only before update or delete on events
    for each row execute function refuse_event_change();
