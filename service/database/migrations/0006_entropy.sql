-- Games that start when entropy was revealed: what lists show of them, and the indexes of the feeds.

alter table lobby add column reveal_by timestamptz; -- while a game is starting: until when seats may reveal
alter table history add column entropy text;        -- committed, revealed or owed, null without a commitment

-- As in migration 0004, with the events by which a seat is freed and by which a reveal starts a game.
drop index events_of_lobby;
create index events_of_lobby on events (xid, position)
    where type in ('game_created', 'seat_taken', 'seat_left', 'seat_freed', 'entropy_revealed')
          or data::text like '%"type":"game.ended"%';

-- Where an account has taken, left or lost a seat. Who frees a seat is the actor of that event, and not whose seat it
-- was: that stands in the event.
drop index events_of_seats;
create index events_of_seats on events ((data ->> 'account'), game_id, version)
    where type in ('seat_taken', 'seat_left', 'seat_freed');
