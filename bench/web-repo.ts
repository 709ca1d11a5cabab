// A day of a build, as the page meets it: a hundred thousand facts and a transcript of 50 MB, in a repository with a server.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { caller } from '../test/http/served.ts'
import { output, plainEnvironment, RALPH, ralph } from './ralph.ts'

const WRITE_BYTES = 1024 * 1024

export interface WebBench {
  readonly address: string
  readonly link: string
  readonly build: string
  /** Records so many more facts, as another process would. */
  readonly happen: (count: number) => void
  readonly close: () => Promise<void>
}

export async function openWebBench(folder: string, facts: number, transcriptBytes: number): Promise<WebBench> {
  const project = join(folder, 'project')
  mkdirSync(project)
  writeFileSync(join(project, 'one.test.mjs'), "import { test } from 'node:test'\ntest('one', () => {})\n")
  writeFileSync(
    join(project, 'ralph.toml'),
    '[agents]\ndefault = "scripted"\n[agent.scripted]\nscenario = "../scenario.json"\n[checks]\nunit = "node --test"\n',
  )
  const steps = [
    { say: 'hello' },
    { write: { path: 'two.txt', content: '2\n' } },
    { signal: { kind: 'TASK_COMPLETE' } },
  ]
  writeFileSync(join(folder, 'scenario.json'), JSON.stringify({ sessions: [{ role: 'implementer', steps }] }))
  for (const args of [
    ['init', '--quiet'],
    ['add', '--all'],
    ['commit', '--quiet', '--message', 'start'],
  ])
    output(project, ['git', '-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args])
  ralph(project, ['task', 'create', 'two', 'Add two'])
  const server = spawn(process.execPath, [RALPH, 'serve', '--port', '0', '--json'], {
    cwd: project,
    env: { ...plainEnvironment, GIT_AUTHOR_NAME: 'Ada', GIT_AUTHOR_EMAIL: 'ada@example.com' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [line] = (await once(server.stdout.setEncoding('utf8'), 'data')) as [string]
  const { address, token, link } = JSON.parse(line) as Readonly<Record<'address' | 'token' | 'link', string>>
  const { post, until } = caller(address, token)
  await post('/api/build/day/start')
  const { sessionId } = await until('day', 'complete')
  const build = String(sessionId)
  const database = new DatabaseSync(join(project, '.git/ralph/ralph.db'))
  database.exec('PRAGMA busy_timeout = 5000')
  const happen = (count: number): void => plantFacts(database, build, count)
  happen(facts)
  plantTranscript(join(project, `.git/ralph/transcripts/${build}/two/1-1-implementer.jsonl`), transcriptBytes)
  return {
    address,
    link,
    build,
    happen,
    close: async () => {
      database.close()
      server.kill()
      await once(server, 'close')
    },
  }
}

/** Of kinds that change no state, so that the log stays true to the store. */
function plantFacts(database: DatabaseSync, build: string, count: number): void {
  const insert = database.prepare('INSERT INTO facts (build, seq, at, type, task, body) VALUES (?, ?, ?, ?, ?, ?)')
  database.exec('BEGIN IMMEDIATE')
  const { last } = database.prepare('SELECT max(seq) AS last FROM facts WHERE build = ?').get(build) as { last: number }
  for (let seq = last + 1; seq <= last + count; seq += 1) {
    const fact =
      seq % 2 === 0
        ? { type: 'iterationStarted', taskId: 'two', attempt: 1, iteration: seq }
        : {
            type: 'checkoutChanged',
            refs: ['refs/heads/mine'],
            paths: [`src/part-${seq}/file.ts`, 'README.md'],
            more: 3,
          }
    insert.run(build, seq, Date.now(), fact.type, 'taskId' in fact ? 'two' : null, JSON.stringify(fact))
  }
  database.exec('COMMIT')
}

function plantTranscript(path: string, bytes: number): void {
  const words = 'the quick brown fox jumps over the lazy dog and writes a test before the code '
  let [written, lines] = [0, '']
  for (let row = 0; written < bytes; row += 1) {
    const at = new Date(1_790_000_000_000 + row * 100).toISOString()
    const text = `row ${row} ${words.repeat(1 + (row % 12))}`
    const event =
      row % 3 === 0
        ? { at, type: 'text', text }
        : row % 3 === 1
          ? { at, type: 'toolUse', tool: 'Bash', input: text }
          : { at, type: 'toolResult', tool: 'Bash', output: text, isError: false }
    lines += `${JSON.stringify(event)}\n`
    if (lines.length < WRITE_BYTES) continue
    appendFileSync(path, lines)
    written += lines.length
    lines = ''
  }
}
