-- Which text to embed is in which row, by a digest of the text, as in the local index, of workspaces where meaning is on.
-- Their vectors are in ../vectors.sql, for which the server needs pgvector.

create table fleet.passages(tenant int not null, key bigint, row bigint, primary key (tenant, key, row));
create index passages_row on fleet.passages(tenant, row);
select fleet.guard('passages', '{insert, delete}');
select fleet.give_rights(role) from fleet.members;

insert into fleet.made values (3);
