-- The index rows of the shared parts of many workspaces, by tenant. Derived: drop it and push again.
--
-- The tables are those of the local index (store/sqlite/index_schema.py), with a tenant before every key. What is a path
-- or an id of one workspace is a varchar, `alpha:memory/2025-11-27.md`; every other text is a text. A tenant is a set of
-- login roles. Whatever a role asks, row-level security adds its tenant, which it cannot set: it is looked up by who has
-- logged in. Estimates would tell which words and days another tenant's lines have: statistics are off.

create schema fleet;
revoke all on schema fleet from public;

create table fleet.tenants(
  tenant int generated always as identity primary key,
  name text collate "C" unique not null
);
create table fleet.members(
  role name primary key,
  tenant int not null references fleet.tenants,
  writes boolean not null
);

create function fleet.tenant() returns int language sql stable security definer
  set search_path = pg_catalog, pg_temp as
  'select tenant from fleet.members where role = session_user';
create function fleet.writer() returns int language sql stable security definer
  set search_path = pg_catalog, pg_temp as
  'select tenant from fleet.members where role = session_user and writes';

create table fleet.workspaces(
  tenant int not null, ws int not null, name text collate "C" not null, epoch text not null, generation bigint not null,
  nonce text not null, root text not null, names text not null, pushed timestamptz not null, lines bigint not null, length bigint not null,
  documents bigint not null, primary key (tenant, ws), unique (tenant, name)
);
create table fleet.turns(
  -- pushes of a tenant take turns on its row, which nobody else can lock; the number of a workspace is used once
  tenant int not null primary key, ws int not null default 0
);
create table fleet.files(
  tenant int not null, file bigint not null, path varchar collate "C", digest text collate "C", page text collate "C",
  title text collate "C", conflict int, copy text collate "C", regions text collate "C", primary key (tenant, file),
  unique (tenant, path)
);
create table fleet.blocks(
  tenant int not null, low bigint not null, high bigint not null, file bigint not null, primary key (tenant, low)
);
create index blocks_file on fleet.blocks(tenant, file);
create table fleet.lines(
  tenant int not null, row bigint not null, file bigint, line int, count int, parent bigint, role int, length int,
  speaker text collate "C", text text collate "C", outsider text collate "C", terms text collate "C",
  primary key (tenant, row)
);
create table fleet.facts(
  tenant int not null, row bigint not null, id varchar collate "C", base varchar collate "C", kind text collate "C",
  confidence double precision, start int, stop int, origin text collate "C", entities text collate "C",
  trailer text collate "C", block int, outsider text collate "C", primary key (tenant, row)
);
create index facts_id on fleet.facts(tenant, id);
create index facts_outsider on fleet.facts(tenant, row) where outsider <> '';
create index facts_start on fleet.facts(tenant, start, row) where start is not null;
create index lines_place on fleet.lines(tenant, file, line);
create index lines_outsider on fleet.lines(tenant, row) where outsider is not null;
create table fleet.relations(
  tenant int not null, row bigint, relation text collate "C", target varchar collate "C",
  primary key (tenant, target, relation, row)
);
create index relations_row on fleet.relations(tenant, row);
create table fleet.claims(
  tenant int not null, row bigint, key text collate "C", slot text collate "C", value text collate "C",
  manner text collate "C", begins int, ends int,
  ws int generated always as ((row >> 26 & 32767)::int) stored -- one workspace's claims supersede no other's
);
create index claims_slot on fleet.claims(tenant, key, ws, slot, row);
create index claims_row on fleet.claims(tenant, row);
create table fleet.mentions(
  tenant int not null, key text collate "C", row bigint, name text collate "C", place int,
  primary key (tenant, key, row)
);
create index mentions_row on fleet.mentions(tenant, row);
create table fleet.known_in(
  tenant int not null, key text collate "C", ws int, tagged int, used int, primary key (tenant, ws, key)
);
create index known_in_key on fleet.known_in(tenant, key);
create table fleet.known(
  tenant int not null, key text collate "C", tagged int, used int, primary key (tenant, key)
);
create table fleet.aliases(
  tenant int not null, alias text collate "C", key text collate "C", name text collate "C", file bigint,
  primary key (tenant, alias, key, file)
);
create index aliases_key on fleet.aliases(tenant, key);
create index aliases_file on fleet.aliases(tenant, file);
create table fleet.opinions(
  tenant int not null, file bigint, number int, id varchar collate "C", line int, statement text collate "C",
  entities text collate "C", prior double precision, confidence double precision, updated int,
  disputed varchar collate "C", primary key (tenant, file, number)
);
create table fleet.evidence(
  tenant int not null, rowid bigint not null, file bigint, opinion int, fact varchar collate "C",
  stance text collate "C", day int, path varchar collate "C", line int, confidence double precision,
  src text collate "C", primary key (tenant, file, rowid)
);
create index evidence_opinion on fleet.evidence(tenant, file, opinion);
create index evidence_fact on fleet.evidence(tenant, fact);
create table fleet.chunks(tenant int not null, file bigint, primary key (tenant, file));
create table fleet.postings(
  tenant int not null, term text collate "C", row bigint, primary key (tenant, term, row)
);
create table fleet.frequency(
  tenant int not null, term text collate "C", n bigint, primary key (tenant, term)
);
-- whether a name is known is looked up for each row that a statement has found, not joined for all of them
create view fleet.named with (security_invoker = true) as
  select m.key, m.row, m.name from fleet.mentions m where (select true from fleet.known k where k.key = m.key);
create view fleet.tagged with (security_invoker = true) as
  select m.key, m.row, m.name, (select k.used from fleet.known k where k.key = m.key) as used from fleet.mentions m
  where m.place in (-1, 2) and (select k.tagged <> 0 from fleet.known k where k.key = m.key);

-- Guards a table. A policy has the name of what it allows, and roles get the right to that: see `fleet.give_rights`.
create function fleet.guard(part text, changes text[], seen_by text default 'tenant') returns void language plpgsql
  set search_path = pg_catalog, pg_temp as $$
declare
  each text;
begin
  execute format('alter table fleet.%I alter tenant set default fleet.writer()', part);
  execute format('alter table fleet.%I enable row level security', part);
  execute format('alter table fleet.%I force row level security', part);
  execute format('create policy "select" on fleet.%I for select using (tenant = (select fleet.%I()))', part, seen_by);
  foreach each in array changes loop
    execute format('create policy %I on fleet.%I for %s %s (tenant = (select fleet.writer()))', each, part, each,
      case each when 'insert' then 'with check' else 'using' end);
  end loop;
  for each in select attname from pg_attribute
    where attrelid = format('fleet.%I', part)::regclass and attnum > 0 and not attisdropped and attname <> 'tenant'
  loop
    execute format('alter table fleet.%I alter %I set statistics 0', part, each);
  end loop;
  -- any tenant may be nearly all there is: then rows are found by their keys
  execute format('alter table fleet.%I alter tenant set (n_distinct = 1)', part);
end $$;

-- Gives a role of a tenant its rights to all that there is: once more after each migration that makes a table.
create function fleet.give_rights(member name) returns void language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  writes boolean := (select m.writes from fleet.members m where m.role = member);
  rights text;
begin
  execute format('grant usage on schema fleet to %I', member);
  execute format('grant execute on function fleet.tenant(), fleet.writer() to %I', member);
  execute format('grant select on fleet.made, fleet.named, fleet.tagged to %I', member);
  for rights in select format('grant %s on fleet.%I to %I', string_agg(p.polname, ', '), c.relname, member)
    from pg_policy p join pg_class c on c.oid = p.polrelid
    where c.relnamespace = 'fleet'::regnamespace and not c.relispartition and (writes or p.polname = 'select')
    group by c.relname
  loop
    execute rights;
  end loop;
  if writes then
    execute format('grant execute on function fleet.look_at_sizes() to %I', member);
    if to_regproc('fleet.index_vectors') is not null then
      execute format('grant execute on function fleet.index_vectors to %I', member);
    end if;
  end if;
end $$;

select fleet.guard(part, '{insert, update, delete}') from unnest(array['workspaces', 'files', 'blocks', 'lines', 'facts',
  'relations', 'claims', 'mentions', 'known_in', 'known', 'aliases', 'opinions', 'evidence', 'chunks', 'postings',
  'frequency']) part;
select fleet.guard('turns', '{update}');

-- Without a look at the tables PostgreSQL takes a large one for empty, until its own upkeep comes by. What runs with the
-- rights of its owner names every object in full: a temporary one of the caller's must not be found before ours.
create function fleet.look_at_sizes() returns void language sql security definer
  set search_path = pg_catalog, pg_temp as
  'analyze fleet.lines; analyze fleet.facts; analyze fleet.blocks; analyze fleet.files; analyze fleet.claims;
   analyze fleet.relations; analyze fleet.mentions; analyze fleet.known; analyze fleet.known_in; analyze fleet.aliases;
   analyze fleet.opinions; analyze fleet.evidence; analyze fleet.postings; analyze fleet.frequency';
revoke all on all functions in schema fleet from public;

create table fleet.made(version int not null);
insert into fleet.made values (1);
