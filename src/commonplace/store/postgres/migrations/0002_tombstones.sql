-- What was forgotten stays away: salted digests of the lines that a workspace forgot, kept by its name, so that an old
-- copy of its folder cannot bring them back. They outlive a drop. Only roles that push can read them, because somebody
-- who knows a salt can try what a line said; no role of a tenant can change or remove one.

create table fleet.tombstones(
  tenant int not null default fleet.writer(), name text collate "C" not null, salt text collate "C" not null,
  digest text collate "C" not null, primary key (tenant, name, salt, digest)
);
alter table fleet.tombstones enable row level security;
alter table fleet.tombstones force row level security;
create policy reads on fleet.tombstones for select using (tenant = (select fleet.writer()));
create policy adds on fleet.tombstones for insert with check (tenant = (select fleet.writer()));
alter table fleet.tombstones alter name set statistics 0;
alter table fleet.tombstones alter salt set statistics 0;
alter table fleet.tombstones alter digest set statistics 0;
alter table fleet.tombstones alter tenant set (n_distinct = 1);

do $$
declare
  each record;
begin
  for each in select role, writes from fleet.members loop
    execute format('grant select on fleet.tombstones to %I', each.role);
    if each.writes then
      execute format('grant insert on fleet.tombstones to %I', each.role);
    end if;
  end loop;
end $$;

insert into fleet.made values (2);
