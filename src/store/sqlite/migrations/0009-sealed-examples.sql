-- The sealed examples of a task: a table of their own, so that nothing that shows a task can show them.
CREATE TABLE sealed_examples (
  task INTEGER PRIMARY KEY REFERENCES tasks (key),
  body TEXT NOT NULL
) STRICT;
