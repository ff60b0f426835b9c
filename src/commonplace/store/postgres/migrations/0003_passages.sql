-- Which text to embed is in which row, by a digest of the text, as in the local index, of workspaces where meaning is on.
-- Their vectors are in ../vectors.sql, for which the server needs pgvector.

create table fleet.passages(
  tenant int not null default fleet.writer(), key bigint, row bigint, primary key (tenant, key, row)
);
create index passages_row on fleet.passages(tenant, row);
alter table fleet.passages enable row level security;
alter table fleet.passages force row level security;
create policy reads on fleet.passages for select using (tenant = (select fleet.tenant()));
create policy adds on fleet.passages for insert with check (tenant = (select fleet.writer()));
create policy removes on fleet.passages for delete using (tenant = (select fleet.writer()));
alter table fleet.passages alter key set statistics 0;
alter table fleet.passages alter row set statistics 0;
alter table fleet.passages alter tenant set (n_distinct = 1);

do $$
declare
  each record;
begin
  for each in select role, writes from fleet.members loop
    execute format('grant select on fleet.passages to %I', each.role);
    if each.writes then
      execute format('grant insert, delete on fleet.passages to %I', each.role);
    end if;
  end loop;
end $$;

insert into fleet.made values (3);
