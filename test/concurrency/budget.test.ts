// Several processes spend one budget, and one of them is killed: what the store grants never adds up to more than there is.
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { bundledBuild, leftIn, killableProject } from '../rig/build-process.ts'

const CAP = 12_000
const program = await bundledBuild()

/** Tokens that a session uses, event by event; different for each task, the same in every run of the test. */
function events(task: number): object[] {
  return Array.from({ length: 12 }, (_, at) => [
    { usage: { inputTokens: 40 + ((task * 37 + at * 53) % 300), outputTokens: 10 } },
    { sleep: 20 },
  ]).flat()
}

/** The database itself records a grant of more than is left. */
const AUDIT = `
  CREATE TABLE overdrawn (id INTEGER, total INTEGER);
  CREATE TRIGGER audit_granted AFTER INSERT ON spending BEGIN
    INSERT INTO overdrawn SELECT NEW.id, sum(charged_tokens) FROM spending HAVING sum(charged_tokens) > ${CAP};
  END;
  CREATE TRIGGER audit_grown AFTER UPDATE OF reserved_tokens ON spending
  WHEN NEW.reserved_tokens > OLD.reserved_tokens BEGIN
    INSERT INTO overdrawn
    SELECT NEW.id, sum(CASE WHEN id = NEW.id THEN NEW.reserved_tokens ELSE charged_tokens END) AS total
    FROM spending HAVING total > ${CAP};
  END;`

interface Row {
  readonly id: number
  readonly state: string
  readonly used: number
  readonly reserved_tokens: number
  readonly charged_tokens: number
  readonly failure: string | null
}

it('three processes, one killed', async () => {
  const ids = Array.from({ length: 12 }, (_, at) => `t${at}`)
  const stage = await killableProject(program, {
    tasks: ids.map((id) => ({ id, title: `Task ${id}` })),
    script: ids.map((task, at) => ({
      task,
      steps: [
        { write: { path: `${task}.txt`, content: 'good\n' } },
        ...events(at),
        { signal: { kind: 'TASK_COMPLETE' } },
      ],
    })),
    toml: `[checks]\nunit = "sh check.sh"\n[limits]\nbudget_tokens = ${CAP}\n`,
  })
  try {
    const database = new DatabaseSync(join(stage.folder, '.git/ralph/ralph.db'))
    database.exec(AUDIT)
    let begun = 0
    const doomed = stage.run({}, (fact) => {
      begun += fact.type === 'iterationStarted' ? 1 : 0
      if (begun === 2) doomed.kill()
    })
    const others = [stage.run(), stage.run()]
    const ends = await Promise.all(others.map(async ({ life }) => (await life).end))
    await doomed.life
    const detail = expect.stringMatching(/^The budget of 12,000 tokens is spent; /) as string
    expect(ends).toEqual([1, 2].map(() => ({ reason: 'BudgetExhausted', detail })))

    const rows = database
      .prepare('SELECT *, input_tokens + output_tokens AS used FROM spending ORDER BY id')
      .all() as unknown as Row[]
    expect(database.prepare('SELECT * FROM overdrawn').all()).toEqual([])
    // A session over its grant was stopped, and the killed one counts with its whole grant.
    expect(rows.filter((row) => row.used > row.reserved_tokens && row.failure !== 'budget')).toEqual([])
    expect(rows.filter((row) => row.charged_tokens < row.used)).toEqual([])
    expect(rows.filter((row) => row.state !== 'settled' && row.charged_tokens < row.reserved_tokens)).toEqual([])
    const beyond = rows.reduce((sum, row) => sum + Math.max(0, row.used - row.reserved_tokens), 0)
    expect(rows.reduce((sum, row) => sum + row.used, 0)).toBeLessThanOrEqual(CAP + beyond)

    const late = await stage.run().life
    expect(late.end?.reason).toBe('BudgetExhausted')
    expect(database.prepare('SELECT count(*) AS rows FROM spending').get()).toEqual({ rows: rows.length })
    expect(leftIn(stage.folder)).toEqual([])
    database.close()
  } finally {
    stage.remove()
  }
})
