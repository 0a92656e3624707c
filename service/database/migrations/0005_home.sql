-- Where a history of the log is at home: the server by its system identifier, the database and the table of events by
-- their numbers. A dump takes this along as it was, so what was made from one is known for what it is, also where it was
-- put back in the place of the table that it came from (store/history.py).

create function this_database() returns text language sql stable as $$
    select system_identifier || '/' || (select oid from pg_database where datname = current_database())
           || '/' || 'events'::regclass::oid
    from pg_control_system()
$$;

alter table epoch add column home text;
update epoch set home = this_database();
alter table epoch alter column home set not null;
