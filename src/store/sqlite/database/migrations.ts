// Every migration in order; the first makes schema version 1.
import foundations from '../migrations/0001-foundations.sql'
import spending from '../migrations/0002-spending.sql'
import reportedDone from '../migrations/0003-said-done.sql'
import ideas from '../migrations/0004-ideas.sql'
import ideaChanges from '../migrations/0005-idea-changes.sql'
import walks from '../migrations/0006-walks.sql'
import runsInOlderSqlite from '../migrations/0007-runs-in-older-sqlite.sql'
import claims from '../migrations/0008-claims.sql'
import sealedExamples from '../migrations/0009-sealed-examples.sql'

export const migrations: readonly string[] = [
  foundations,
  spending,
  reportedDone,
  ideas,
  ideaChanges,
  walks,
  runsInOlderSqlite,
  claims,
  sealedExamples,
]
