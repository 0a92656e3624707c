-- What the feeds of the lobby and of accounts read (service/store/feeds.py), so that they need not look at moves.

-- The events that lists of open tables are about, in the order of the log: few among millions of moves. A game ends
-- within the event of its last move. No text in it can be taken for that: quotation marks are escaped there.
create index events_of_lobby on events (xid, position)
    where type in ('game_created', 'seat_taken', 'seat_left') or data::text like '%"type":"game.ended"%';

-- Where an account has sat down and got up.
create index events_of_seats on events (actor, game_id, version) where type in ('seat_taken', 'seat_left');
