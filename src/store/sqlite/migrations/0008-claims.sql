-- What a task claims where its title and type do not decide that, as JSON; NULL for nearly every row.
ALTER TABLE tasks ADD COLUMN fixed_claim TEXT;

-- Reported done outside a build: every loop asks for the unverified ones before it takes work.
CREATE INDEX tasks_reported ON tasks (scope, priority, position) WHERE status = 'done' AND said_done IS NOT NULL;
