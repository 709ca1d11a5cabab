CREATE TABLE scopes (
  key INTEGER PRIMARY KEY,
  repo TEXT NOT NULL,
  branch TEXT NOT NULL,
  UNIQUE (repo, branch)
) STRICT;

-- `position` is the plan's order: it grows with age, and the parts of a split task share the place of the whole.
CREATE TABLE tasks (
  key INTEGER PRIMARY KEY,
  scope INTEGER NOT NULL REFERENCES scopes (key),
  id TEXT NOT NULL,
  position REAL NOT NULL,
  title TEXT NOT NULL,
  description TEXT,
  priority INTEGER NOT NULL CHECK (priority >= 0),
  category TEXT,
  spec TEXT,
  ref TEXT,
  steps TEXT NOT NULL,
  type TEXT,
  acceptance TEXT NOT NULL,
  files_expected TEXT NOT NULL,
  status TEXT NOT NULL
    CHECK (status IN ('open', 'active', 'waiting', 'done', 'skipped', 'split', 'deleted')),
  build TEXT,
  assignee TEXT,
  lease_expires_at INTEGER,
  fence INTEGER NOT NULL,
  retry_count INTEGER NOT NULL,
  fail_reason TEXT,
  result TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (scope, id)
) STRICT;

CREATE INDEX tasks_open ON tasks (scope, priority, position) WHERE status = 'open';
CREATE INDEX tasks_active ON tasks (scope, priority, position) WHERE status = 'active';
CREATE INDEX tasks_position ON tasks (scope, position);

CREATE TRIGGER tasks_fence_never_falls AFTER UPDATE OF fence ON tasks WHEN NEW.fence < OLD.fence
BEGIN SELECT RAISE (ABORT, 'a fence never falls'); END;

CREATE TABLE dependencies (
  task INTEGER NOT NULL REFERENCES tasks (key),
  blocker INTEGER NOT NULL REFERENCES tasks (key),
  position INTEGER NOT NULL,
  PRIMARY KEY (task, blocker)
) STRICT, WITHOUT ROWID;

CREATE INDEX dependencies_blocker ON dependencies (blocker);

CREATE TABLE agents (
  id TEXT PRIMARY KEY,
  pid INTEGER NOT NULL,
  hostname TEXT NOT NULL,
  started_at INTEGER NOT NULL
) STRICT;

CREATE TABLE builds (
  key INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  scope INTEGER NOT NULL REFERENCES scopes (key),
  idea_id TEXT NOT NULL,
  spec_id TEXT,
  state TEXT NOT NULL CHECK (state IN ('running', 'paused', 'aborted', 'failed', 'complete')),
  config_hash TEXT NOT NULL,
  last_error TEXT,
  started_at INTEGER NOT NULL,
  last_activity_at INTEGER NOT NULL
) STRICT;

CREATE INDEX builds_scope ON builds (scope);

-- What is under way is the effect that was begun and has no outcome yet.
CREATE TABLE attempts (
  build TEXT NOT NULL REFERENCES builds (id),
  task TEXT NOT NULL,
  state TEXT NOT NULL,
  under_way TEXT,
  PRIMARY KEY (build, task)
) STRICT, WITHOUT ROWID;

CREATE TABLE facts (
  build TEXT NOT NULL REFERENCES builds (id),
  seq INTEGER NOT NULL,
  at INTEGER NOT NULL,
  type TEXT NOT NULL,
  task TEXT,
  body TEXT NOT NULL,
  PRIMARY KEY (build, seq)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER facts_have_no_gaps BEFORE INSERT ON facts
WHEN NEW.seq <> (SELECT coalesce(max(seq), 0) + 1 FROM facts WHERE build = NEW.build)
BEGIN SELECT RAISE (ABORT, 'facts have no gaps'); END;

CREATE TRIGGER facts_are_not_updated BEFORE UPDATE ON facts
BEGIN SELECT RAISE (ABORT, 'facts are append-only'); END;

CREATE TRIGGER facts_are_not_deleted BEFORE DELETE ON facts
BEGIN SELECT RAISE (ABORT, 'facts are append-only'); END;

-- What is kept of a build beside its facts: iterations, evidence, reviews, lessons. `seq` keeps their order.
CREATE TABLE keepsakes (
  seq INTEGER PRIMARY KEY,
  build TEXT NOT NULL REFERENCES builds (id),
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  task TEXT,
  body TEXT NOT NULL,
  UNIQUE (build, kind, key)
) STRICT;
