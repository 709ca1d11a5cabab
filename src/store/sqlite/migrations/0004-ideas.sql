-- `scope`: the repository and base of the idea; NULL while nobody has named one. `spec`: as JSON.
CREATE TABLE ideas (
  key INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  scope INTEGER REFERENCES scopes (key),
  title TEXT NOT NULL,
  text TEXT NOT NULL,
  spec TEXT,
  phase TEXT NOT NULL CHECK (phase IN
    ('ideation', 'ideation_ready', 'specification', 'spec_ready', 'building', 'build_review', 'deployed', 'paused', 'failed')),
  resumes TEXT CHECK ((resumes IS NULL) = (phase NOT IN ('paused', 'failed'))),
  advance TEXT NOT NULL CHECK (advance IN ('auto', 'manual')),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE INDEX ideas_scope ON ideas (scope);
CREATE INDEX builds_idea ON builds (idea_id);

CREATE TABLE idea_moves (
  idea TEXT NOT NULL REFERENCES ideas (id),
  seq INTEGER NOT NULL,
  at INTEGER NOT NULL,
  by TEXT NOT NULL,
  from_phase TEXT NOT NULL,
  to_phase TEXT NOT NULL,
  reason TEXT NOT NULL,
  overridden TEXT NOT NULL,
  PRIMARY KEY (idea, seq)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER idea_moves_are_not_updated BEFORE UPDATE ON idea_moves
BEGIN SELECT RAISE (ABORT, 'moves of ideas are append-only'); END;

CREATE TRIGGER idea_moves_are_not_deleted BEFORE DELETE ON idea_moves
BEGIN SELECT RAISE (ABORT, 'moves of ideas are append-only'); END;

-- Builds that were started before there were ideas.
INSERT INTO ideas (id, scope, title, text, spec, phase, resumes, advance, created_at, updated_at)
SELECT b.idea_id, b.scope, 'Build ' || b.id, 'Build ' || b.id,
  CASE WHEN b.spec_id IS NULL THEN NULL ELSE json_object('id', b.spec_id, 'text', '', 'graph', NULL) END,
  CASE b.state WHEN 'running' THEN 'building' WHEN 'paused' THEN 'paused' WHEN 'complete' THEN 'build_review' ELSE 'failed' END,
  CASE WHEN b.state IN ('running', 'complete') THEN NULL ELSE 'building' END,
  'manual', b.started_at, b.last_activity_at
FROM builds b WHERE b.key = (SELECT max(n.key) FROM builds n WHERE n.idea_id = b.idea_id);

-- The task that a build is at: what is being worked on; else what comes next; else what waits for a human; else what that
-- one holds up. `rank` 1 is the one.
CREATE VIEW build_current_tasks AS
SELECT t.build, t.id, t.status, t.said_done, t.is_ready,
  json_extract(a.state, '$.phase.at') AS at, json_extract(a.state, '$.phase.resumes.at') AS resumes,
  json_extract(a.state, '$.number') AS number, json_array_length(a.state, '$.feedback') AS fed,
  row_number() OVER (PARTITION BY t.build ORDER BY
    CASE WHEN t.status = 'active' THEN 0 WHEN t.is_ready THEN 1 WHEN t.status = 'waiting' THEN 2 ELSE 3 END,
    t.priority, t.position) AS rank
FROM (
  SELECT *, status = 'open' AND NOT EXISTS (
    SELECT 1 FROM dependencies d JOIN tasks k ON k.key = d.blocker
    WHERE d.task = tasks.key AND k.build = tasks.build AND k.status IN ('open', 'active', 'waiting')) AS is_ready
  FROM tasks WHERE build IS NOT NULL AND status IN ('open', 'active', 'waiting')
) t LEFT JOIN attempts a ON a.build = t.build AND a.task = t.id;

-- How builds are called in products that know sessions; lists are rows of tasks and facts.
CREATE VIEW build_sessions AS
SELECT b.id, b.idea_id, b.spec_id,
  CASE b.state
    WHEN 'running' THEN CASE
      WHEN coalesce(p.waiting, 0) = 0 OR c.status = 'active' OR c.is_ready THEN 'active'
      ELSE 'human_needed' END
    WHEN 'aborted' THEN 'failed'
    ELSE b.state
  END AS status,
  coalesce(p.current_task_index, 0) AS current_task_index,
  coalesce(c.number, 0) AS current_attempt,
  b.last_error,
  (SELECT coalesce(sum(json_extract(a.state, '$.interventions')), 0) FROM attempts a WHERE a.build = b.id)
    AS sia_interventions,
  datetime(b.started_at / 1000, 'unixepoch') AS started_at,
  datetime(b.last_activity_at / 1000, 'unixepoch') AS last_activity_at
FROM builds b LEFT JOIN (
  SELECT build, count(*) FILTER (WHERE status = 'waiting') AS waiting,
    coalesce(min(place) FILTER (WHERE status IN ('open', 'active', 'waiting')), count(*)) AS current_task_index
  FROM (
    SELECT build, status, row_number() OVER (PARTITION BY build ORDER BY priority, position) - 1 AS place
    FROM tasks WHERE build IS NOT NULL AND status NOT IN ('split', 'deleted')
  ) GROUP BY build
) p ON p.build = b.id
LEFT JOIN build_current_tasks c ON c.build = b.id AND c.rank = 1;

-- How builds are called in products that step through them. The last reports are rows of keepsakes.
CREATE VIEW build_runs AS
SELECT b.id, b.idea_id AS project_id,
  json_object(
    'build_id', b.id,
    'project_id', b.idea_id,
    'phase', CASE b.state
      WHEN 'aborted' THEN 'aborted' WHEN 'failed' THEN 'error' WHEN 'complete' THEN 'ready'
      ELSE CASE
        WHEN NOT EXISTS (SELECT 1 FROM tasks t WHERE t.build = b.id AND t.status NOT IN ('split', 'deleted'))
          THEN 'planning'
        WHEN c.status = 'waiting' THEN 'iterating'
        WHEN c.status IS NULL OR (c.status = 'open' AND coalesce(c.at, 'settled') = 'settled') THEN 'implementing'
        WHEN c.said_done IS NOT NULL AND coalesce(c.at, 'working') = 'working' THEN 'verifying'
        WHEN c.at IS NULL THEN 'implementing'
        WHEN coalesce(c.resumes, c.at) = 'working' THEN iif(c.fed > 0 OR c.number > 1, 'iterating', 'implementing')
        WHEN coalesce(c.resumes, c.at) = 'verifying' THEN 'verifying'
        WHEN coalesce(c.resumes, c.at) IN ('intervening', 'escalating', 'waiting') THEN 'iterating'
        ELSE 'reviewing' END
    END,
    'current_task_id', c.id,
    'brief', json(coalesce(json_extract(s.body, '$.seed.brief'), '{}')),
    'build_plan', json(coalesce(json_extract(s.body, '$.seed.build_plan'), '{}')),
    'product_doc', json(coalesce(json_extract(s.body, '$.seed.product_doc'), '{}')),
    'build_graph', json_object('tasks', (
      SELECT json_group_array(json_object(
        'id', t.id, 'title', t.title, 'goal', coalesce(t.description, t.title), 'acceptance', json(t.acceptance),
        'depends_on', json((SELECT json_group_array(k.id ORDER BY d.position) FROM dependencies d
          JOIN tasks k ON k.key = d.blocker WHERE d.task = t.key)),
        'files_expected', json(t.files_expected), 'type', t.type,
        'status', CASE t.status WHEN 'open' THEN 'todo' WHEN 'active' THEN 'doing' WHEN 'done' THEN 'done' ELSE 'blocked' END
      ) ORDER BY t.priority, t.position)
      FROM tasks t WHERE t.build = b.id AND t.status NOT IN ('split', 'deleted')), 'notes', ''),
    'history', (SELECT json_group_array(json_object(
        'ts', strftime('%Y-%m-%dT%H:%M:%fZ', f.at / 1000.0, 'unixepoch'), 'seq', f.seq, 'type', f.type, 'task_id', f.task
      ) ORDER BY f.seq) FROM facts f WHERE f.build = b.id)
  ) AS state_json,
  datetime(b.started_at / 1000, 'unixepoch') AS created_at,
  datetime(b.last_activity_at / 1000, 'unixepoch') AS updated_at
FROM builds b
LEFT JOIN keepsakes s ON s.build = b.id AND s.kind = 'seed'
LEFT JOIN build_current_tasks c ON c.build = b.id AND c.rank = 1;
