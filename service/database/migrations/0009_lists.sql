-- What lists of games read (service/projections/lobby.py): each index holds rows alone that the asker may be shown, so
-- that nobody makes lists slow for others by opening sandboxes or unlisted games.

drop index lobby_newest;
drop index lobby_newest_by_status;
create index lobby_public on lobby (generation, sandbox, position) where visibility = 'public';
create index lobby_public_by_status on lobby (generation, sandbox, status, least(open_seats, 1), position)
    where visibility = 'public';
create index lobby_public_by_title on lobby (generation, sandbox, title, status, least(open_seats, 1), position)
    where visibility = 'public';
create index lobby_unlisted on lobby (generation, creator, position) where visibility <> 'public';

-- As in the lobby. Null, as an earlier release writes it, stands for not known: such a row is in every index that it may
-- belong to, and what the lobby says decides.
alter table history add column sandbox boolean;
alter table history add column unlisted boolean;
update history set sandbox = lobby.sandbox, unlisted = lobby.visibility <> 'public'
from lobby where lobby.generation = history.generation and lobby.game_id = history.game_id;
create index history_public on history (generation, account, position)
    where unlisted is not true and sandbox is not true;
create index history_sandboxes on history (generation, account, position)
    where unlisted is not true and sandbox is not false;
create index history_unlisted on history (generation, account, position) where unlisted is not false;
