-- The rows with a term are in arrays, for each workspace one of 128 days: a row of the table and an entry of its index for
-- each line with a term took two thirds of a fleet's bytes. At most 1,024 lines of a day, or of those without one, are in
-- one array, so that a push of one file does not write a large one anew. The number of an array begins with the days.

alter table fleet.postings rename to postings_of_lines;
alter index fleet.postings_pkey rename to postings_of_lines_pkey;
alter table fleet.postings_of_lines no force row level security; -- else an owner of no tenant would copy nothing
create table fleet.postings(
  tenant int not null, term text collate "C", block bigint, rows bigint[],
  n int generated always as (cardinality(rows)) stored, primary key (tenant, term, block)
);
insert into fleet.postings (tenant, term, block, rows)
  select tenant, term, (row >> 48 << 31) | ((row >> 26 & 32767) << 16) | (row >> 10 & 65535),
    array_agg(row order by row) from fleet.postings_of_lines group by 1, 2, 3;
drop table fleet.postings_of_lines;
select fleet.guard('postings', '{insert, update, delete}');
select fleet.give_rights(role) from fleet.members;

-- Counts change with every push: room in the page of each, so that old ones leave no empty pages.
alter table fleet.frequency set (fillfactor = 75);

insert into fleet.made values (4);
