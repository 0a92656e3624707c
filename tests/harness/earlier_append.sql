-- How the release before migration 0010 appends to the log: frozen.
with input as (
    select * from unnest(
        $1::text[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bytea[], $8::timestamptz[],
        $9::uuid[], $10::text[], $11::bytea[], $12::bytea[], $13::text[], $14::bytea[]
    ) as t (game_id, version, type, actor, data, rules_version, hash, recorded_at, attempt, idempotency_key,
            request_hash, seed, epoch, previous)
), first as (
    insert into events (game_id, version, type, actor, data, rules_version, hash, recorded_at, attempt,
                        idempotency_key, request_hash)
    select game_id, version, type, actor, data::json, rules_version, hash, recorded_at, attempt, idempotency_key,
           request_hash
    from input
    where (version = 1 and (input.recorded_at <= clock_timestamp() + interval '5 seconds') or exists (
        select from events as e where e.game_id = input.game_id and e.version = input.version - 1
            and (input.previous is null or e.hash = input.previous)
            and (input.recorded_at = e.recorded_at or input.recorded_at > e.recorded_at and input.recorded_at <= clock_timestamp() + interval '5 seconds')))
      and (input.epoch is null or (
        input.epoch = (select epoch from epoch where split_part(home, '/', 3) = 'events'::regclass::oid::text)
        and exists (select from accounts where accounts.id = input.actor)))
    order by game_id, version
    on conflict do nothing
    returning game_id, version, attempt
), secret as (
    insert into seeds (game_id, seed)
    select game_id, seed from input join first using (game_id, version, attempt) where seed is not null
), wake as (
    select pg_notify('tablelog', (select string_agg(game_id || ':' || version, ',') from first))
    where exists (select from first)
)
select attempt from first left join wake on true
