-- What a task claims where its title and type do not decide that, as JSON; NULL for nearly every row.
ALTER TABLE tasks ADD COLUMN fixed_claim TEXT;
