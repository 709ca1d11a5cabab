-- Who follows the ideas of a project looks at those that changed, not at all of them.
CREATE INDEX ideas_changed ON ideas (scope, updated_at);
