-- A view that SQLite cannot parse makes it refuse every statement on the file. The order of what is gathered came from ORDER
-- BY inside the aggregates, which needs SQLite 3.44; here the rows come in their order. (The tables are STRICT: 3.37.)
DROP VIEW build_runs;

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
        'depends_on', json((SELECT json_group_array(k.id) FROM (
          SELECT blocker.id FROM dependencies d JOIN tasks blocker ON blocker.key = d.blocker
          WHERE d.task = t.key ORDER BY d.position) k)),
        'files_expected', json(t.files_expected), 'type', t.type,
        'status', CASE t.status WHEN 'open' THEN 'todo' WHEN 'active' THEN 'doing' WHEN 'done' THEN 'done' ELSE 'blocked' END
      )) FROM (
        SELECT * FROM tasks WHERE build = b.id AND status NOT IN ('split', 'deleted') ORDER BY priority, position
      ) t), 'notes', ''),
    'history', (SELECT json_group_array(json_object(
        'ts', strftime('%Y-%m-%dT%H:%M:%fZ', f.at / 1000.0, 'unixepoch'), 'seq', f.seq, 'type', f.type, 'task_id', f.task
      )) FROM (SELECT * FROM facts WHERE build = b.id ORDER BY seq) f)
  ) AS state_json,
  datetime(b.started_at / 1000, 'unixepoch') AS created_at,
  datetime(b.last_activity_at / 1000, 'unixepoch') AS updated_at
FROM builds b
LEFT JOIN keepsakes s ON s.build = b.id AND s.kind = 'seed'
LEFT JOIN build_current_tasks c ON c.build = b.id AND c.rank = 1;
