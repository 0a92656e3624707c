-- steps
-- Marks the endings from before migration 0010, and moves the index of the lobby (migration 0006) to the mark. Play goes
-- on meanwhile: a batch is one short transaction, and indexes are built and dropped concurrently.

-- step
-- The old index leads to the endings, once through; only they are updated. It is dropped last: without it all is done.
do $$
declare
    at_xid xid8 := '0';
    at_position bigint := 0;
begin
    while to_regclass('events_of_lobby') is not null loop
        with batch as materialized (
            select game_id, version, xid, position,
                   ends_game is null and data::text like '%"type":"game.ended"%' as unmarked
            from events
            where (type in ('game_created', 'seat_taken', 'seat_left', 'seat_freed', 'entropy_revealed')
                   or data::text like '%"type":"game.ended"%')
              and (xid, position) > (at_xid, at_position)
            order by xid, position limit 500
        ), marked as (
            -- Nothing but the key: with a condition on the text, the planner goes through the old index for each batch.
            update events set ends_game = true from batch
            where batch.unmarked and events.game_id = batch.game_id and events.version = batch.version
        )
        select xid, position into at_xid, at_position from batch order by xid desc, position desc limit 1;
        exit when not found;
        commit;
        perform pg_sleep(0.005); -- so that play comes first where disks are slow
    end loop;
end
$$

-- step
create index concurrently events_listed on events (xid, position)
    where type in ('game_created', 'seat_taken', 'seat_left', 'seat_freed', 'entropy_revealed') or ends_game

-- step
-- Without statistics the planner takes half of all events for endings.
analyze events (ends_game)

-- step
drop index concurrently if exists events_of_lobby
