-- Who holds a task, and what was said of it that is not proved yet, as JSON: both are NULL for nearly every row.
ALTER TABLE tasks ADD COLUMN held_by TEXT CHECK (held_by IN ('loop', 'agent'));
ALTER TABLE tasks ADD COLUMN said_done TEXT;
