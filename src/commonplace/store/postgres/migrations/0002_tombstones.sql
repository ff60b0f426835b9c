-- What was forgotten stays away: salted digests of the lines that a workspace forgot, kept by its name, so that an old
-- copy of its folder cannot bring them back. They outlive a drop. Only roles that push can read them, because somebody
-- who knows a salt can try what a line said; no role of a tenant can change or remove one.

create table fleet.tombstones(
  tenant int not null, name text collate "C" not null, salt text collate "C" not null,
  digest text collate "C" not null, primary key (tenant, name, salt, digest)
);
select fleet.guard('tombstones', '{insert}', seen_by => 'writer');
select fleet.give_rights(role) from fleet.members;

insert into fleet.made values (2);
