-- Vectors of passages, by model. They are apart from the migrations, because a server may get pgvector later, or never.
-- A tenant with few is searched row by row. One with many has a part of its own, with its own graph (HNSW): in a shared
-- one the rows of other tenants would change what is found, and tell of them.

create table fleet.vectors(
  tenant int not null, model text collate "C" not null, key bigint not null,
  embedding {vector} not null, primary key (tenant, model, key)
) partition by list (tenant);
create table fleet.vectors_of_small partition of fleet.vectors default;

select fleet.guard('vectors', '{insert, delete}');
select fleet.guard('vectors_of_small', '{insert, delete}');

-- Gives the tenant of whoever pushes a part of its own with a graph for a model, once it has more vectors than `most`.
create function fleet.index_vectors(wanted text, dimensions int, most int) returns boolean language plpgsql
  security definer set search_path = pg_catalog, pg_temp set maintenance_work_mem = '256MB' as $$
declare
  whose int := fleet.writer();
  part text := 'vectors_of_' || whose;
  readers record;
begin
  -- as in fleet.look_at_sizes: without a look a large table is taken for empty
  analyze fleet.passages (tenant);
  analyze fleet.vectors (tenant);
  if whose is null or most < 1000 or dimensions not between 1 and 2000
    or (select count(*) <= most from (select from fleet.vectors where tenant = whose and model = wanted limit most + 1) v)
  then
    return false;
  end if;
  if to_regclass('fleet.' || part) is null then
    execute format('create table fleet.%I (like fleet.vectors including constraints)', part);
    perform fleet.guard(part, '{insert, delete}');
    execute format('with moved as (delete from fleet.vectors_of_small where tenant = %s returning *)'
      ' insert into fleet.%I select * from moved', whose, part);
    execute format('alter table fleet.vectors attach partition fleet.%I for values in (%s)', part, whose);
    for readers in select role from fleet.members where tenant = whose loop
      execute format('grant select on fleet.%I to %I', part, readers.role);
    end loop;
  end if;
  execute format('create index if not exists %I on fleet.%I using hnsw ((embedding::{vector}(%s)) {schema}.vector_ip_ops)'
    ' where model = %L', 'near_' || whose || '_' || md5(wanted), part, dimensions, wanted);
  return true;
end $$;
revoke all on function fleet.index_vectors(text, int, int) from public;
select fleet.give_rights(role) from fleet.members;
