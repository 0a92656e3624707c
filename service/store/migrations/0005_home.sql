-- Where a history of the log is at home: the server by its system identifier and the database by its number. A dump
-- takes this along as it was, so a database that was made from one is known for what it is (store/history.py).

create function this_database() returns text language sql stable as $$
    select system_identifier || '/' || (select oid from pg_database where datname = current_database())
    from pg_control_system()
$$;

alter table epoch add column home text;
update epoch set home = this_database();
alter table epoch alter column home set not null;
