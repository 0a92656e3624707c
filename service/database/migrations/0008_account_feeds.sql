-- What the feed of an account reads (service/store/account_feed.py), so that old tables cost it nothing.

-- An account's own seat events, in the order of the log. Games taken in as records are left out: anyone may send a
-- record that names an account. All their rows have the same attempt; those of earlier releases are in this index.
create index events_of_account on events ((data ->> 'account'), xid, position)
    where type in ('seat_taken', 'seat_left', 'seat_freed') and attempt <> '00000000-0000-0000-0000-000000000000';

-- Where in the log a game has ended, null until then: of an account's many games, the index leads to those that go on
-- and to those that have ended after a given place.
alter table history add column ended_xid xid8;
alter table history add column ended_position bigint;
update history set ended_xid = last.xid, ended_position = last.position
from lobby join events as last using (game_id, version)
where lobby.generation = history.generation and lobby.game_id = history.game_id and lobby.status = 'finished';
create index history_by_end on history (generation, account, ended_xid, ended_position);
