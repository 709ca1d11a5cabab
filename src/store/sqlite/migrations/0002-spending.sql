-- One row for each agent session: what was set aside for it before it began, and what it came to. While it is open it is
-- charged with what is set aside; a session whose loop was killed stays charged with that.
CREATE TABLE spending (
  id INTEGER PRIMARY KEY,
  build TEXT NOT NULL REFERENCES builds (id),
  task TEXT,
  attempt INTEGER NOT NULL,
  iteration INTEGER NOT NULL,
  role TEXT NOT NULL,
  agent TEXT NOT NULL,
  loop TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('open', 'settled', 'lost')),
  started_at INTEGER NOT NULL,
  duration_ms INTEGER NOT NULL,
  reserved_usd REAL NOT NULL,
  reserved_tokens INTEGER NOT NULL,
  charged_usd REAL NOT NULL,
  charged_tokens INTEGER NOT NULL,
  input_tokens INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL,
  cost_usd REAL,
  failure TEXT
) STRICT;

CREATE INDEX spending_build ON spending (build);
CREATE INDEX spending_open ON spending (build) WHERE state = 'open';

-- What a build may spend, where somebody said so after it began; null: no limit.
CREATE TABLE budgets (
  build TEXT PRIMARY KEY REFERENCES builds (id),
  usd REAL,
  tokens INTEGER
) STRICT, WITHOUT ROWID;

-- Which facts were told to the outside. `told_at` is null while somebody is at it, until `claimed_until`.
CREATE TABLE notices (
  build TEXT NOT NULL REFERENCES builds (id),
  seq INTEGER NOT NULL,
  claimed_until INTEGER NOT NULL,
  told_at INTEGER,
  PRIMARY KEY (build, seq)
) STRICT, WITHOUT ROWID;
