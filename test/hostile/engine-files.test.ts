// Agents can reach the engine's files on the disk. None of them may turn a check green.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CHECK, project, type Project } from '../rig/project.ts'
import { SIA_GIVES_UP, work } from '../rig/sessions.ts'

/** Loaded into a test runner, it says that all is well and ends it. */
const FORGERY = String.raw`console.log('TAP version 13\nok 1 - one\nok 2 - two\nok 3 - six\n1..3'); process.exit(0)`

const wrong = work('six', 7, 6)

interface Built {
  readonly made: Project
  readonly said: string
}

/** The steps of each task, given the path of the forgery. */
function built(tasks: Readonly<Record<string, (forgery: string) => readonly object[]>>): Built {
  const made = project()
  const forgery = join(made.root, 'forgery.cjs')
  writeFileSync(forgery, FORGERY)
  const sessions = Object.entries(tasks).map(([task, steps]) => ({ role: 'implementer', task, steps: steps(forgery) }))
  for (const { task } of sessions) made.ok('create', task, `Add ${task}`)
  made.play(...sessions, SIA_GIVES_UP)
  return { made, said: made.ralph(['build']).stdout }
}

describe('the file that is loaded into every test run', () => {
  it('is not there for the next one, where an agent could write to it', () => {
    const { made, said } = built({
      two: () => work('two', 2),
      six: (forgery) => [{ run: `find "$HOME/.cache/ralph" -name '*.cjs' -exec cp '${forgery}' {} ';'` }, ...wrong],
    })
    expect(said).toContain('two: done, merged')
    expect(said).toContain('six: red: unit failed (exit 1)')
    const files = readdirSync(join(made.root, 'home/.cache/ralph'), { recursive: true, encoding: 'utf8' })
    expect(files.filter((file) => file.endsWith('.cjs'))).toEqual([])
  })

  it('is looked at after the run: a test that rewrites it proves nothing, and harms no other task', () => {
    const rewrites = [
      "import { execFileSync } from 'node:child_process'",
      "import { chmodSync, writeFileSync } from 'node:fs'",
      // The runner hides the variable from its tests; the system does not hide the runner's.
      "const runner = execFileSync('ps', ['eww', '-o', 'command=', '-p', String(process.ppid)], { encoding: 'utf8' })",
      String.raw`const path = /--require "([^"]*)"/.exec(runner)[1]`,
      'chmodSync(path, 0o600)',
      `writeFileSync(path, ${JSON.stringify(FORGERY)})`,
      '',
    ].join('\n')
    const { said } = built({
      two: () => [{ write: { path: 'rewrites.test.js', content: rewrites } }, ...work('two', 2)],
      six: () => wrong,
    })
    expect(said).toContain(
      'two: red: unit changed ralph-test-names.cjs, which Ralph loads into every test run, so its result proves nothing: remove what writes to it',
    )
    expect(said).toContain('six: red: unit failed (exit 1)')
  })
})

it('a green result is known to the process that made it, and to no other', () => {
  const made = project({ script: [{ role: 'implementer', task: 'two', steps: work('two', 2) }] })
  const counted = join(made.root, 'runs')
  const counting = `"if [ -e two.js ]; then echo run >> '${counted}'; fi; ${CHECK}"`
  made.write('ralph.toml', made.read('ralph.toml').replace(`"${CHECK}"`, counting))
  made.git('commit', '--quiet', '--all', '-m', 'settings')
  const runs = (): number => (existsSync(counted) ? readFileSync(counted, 'utf8').split('\n').length - 1 : 0)
  expect([made.ralph(['build']).code, runs()]).toEqual([0, 1])
  made.ok('create', 'again', 'Add two again')
  made.play({ role: 'implementer', task: 'again', steps: work('two', 2) })
  expect([made.ralph(['build']).code, runs()]).toEqual([0, 2])
})
