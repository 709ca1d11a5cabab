// A tree that was red does not turn green when its checks run again. A run that the machine disturbed is no evidence
// either: it runs again, and costs no attempt.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CHECK, project, type Project } from '../rig/project.ts'
import { SIA_GIVES_UP, work } from '../rig/sessions.ts'
import { KEPT } from '../rig/probes-off.ts'

const COMPLETE = { signal: { kind: 'TASK_COMPLETE' } }
const RED_BEFORE =
  "unit was red on this very tree before (test 'two' failed); running it again proves nothing: change the code or the test"

const two = { role: 'implementer', task: 'two', attempt: 1, steps: work('two', 2) }
const unchanged = { role: 'implementer', task: 'two', steps: [COMPLETE] }

/** The check is this shell script, which counts its runs on a tree that has `two.js`. */
function checkedBy(script: string, sessions: readonly object[], settings = ''): Project {
  const toml = (root: string): string =>
    `[agents]\ndefault = "scripted"\n[agent.scripted]\nscenario = "../scenario.json"\n[checks]\nunit = "sh '${root}/check.sh'"\n` +
    `[limits]\nattempts = 2\ninterventions = 1\n${settings}`
  const made = project({ script: sessions, toml })
  const path = join(made.root, 'check.sh')
  writeFileSync(path, `ROOT='${made.root}'\nif [ -e two.js ]; then echo run >> "$ROOT/runs"; fi\n${script}`)
  return made
}

function runs(made: Project): number {
  const path = join(made.root, 'runs')
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').length - 1 : 0
}

/** Does this once, on the first tree for which the condition holds. */
const once = (condition: string, act: string): string =>
  `if ${condition} && [ ! -e "$ROOT/seen" ]; then touch "$ROOT/seen"; ${act}; fi\nexec ${CHECK}\n`
const FAILS = String.raw`printf 'TAP version 13\nnot ok 1 - two\n1..1\n'; exit 1`

describe('a tree that was red once', () => {
  it('is red for the agent, the operator and a later build, without being run, until something is changed', () => {
    const made = checkedBy(once('[ -e two.js ]', FAILS), [two, unchanged, SIA_GIVES_UP])
    const built = made.ralph(['build'])
    expect(built.stdout).toContain('two: red: unit failed (exit 1)')
    expect(built.stdout).toContain(`two: red: ${RED_BEFORE}`)
    expect([built.code, runs(made)]).toEqual([3, 1])

    const resolved = made.ralph(['resolve', '-m', 'looks fine'])
    expect([resolved.code, resolved.stdout.split('\n').slice(0, 2)]).toEqual([
      4,
      ['two: not merged, your fix is not verified:', `  ${RED_BEFORE}`],
    ])

    expect(made.ralph(['abort']).code).toBe(0)
    made.play({ role: 'implementer', task: 'two', steps: work('two', 2) }, SIA_GIVES_UP)
    const later = made.ralph(['build'])
    expect({ code: later.code, stdout: later.stdout, runs: runs(made) }).toEqual({
      code: 3,
      stdout: expect.stringContaining(`two: red: ${RED_BEFORE}`),
      runs: 1,
    })

    appendFileSync(join(made.ralph(['open']).stdout.trim(), 'two.js'), '// changed\n')
    expect([made.ralph(['resolve', '-m', 'changed']).code, runs(made)]).toEqual([0, 2])
  })

  it('is red when it was put together at a merge, too', () => {
    const made = checkedBy(once('[ -e two.js ] && [ -e six.js ]', FAILS), [two, { ...two, task: 'six' }])
    // Both begin on the same base, so that the second one to be merged is merged with the first.
    const meets = (name: string, other: string): object[] => {
      const [began, awaited] = [join(made.root, name), join(made.root, other)]
      const line = `touch '${began}'; until [ -e '${awaited}' ]; do sleep 0.1; done`
      return [
        { role: 'implementer', task: name, attempt: 1, steps: [{ run: line }, ...work(name, 2)] },
        { role: 'implementer', task: name, steps: [COMPLETE] },
      ]
    }
    made.play(...meets('two', 'six'), ...meets('six', 'two'), SIA_GIVES_UP)
    const built = made.ralph(['build', '--workers', '2'])
    expect(built.stdout).toMatch(/(?:two|six): not merged: after merging with what came meanwhile: unit failed/)
    expect(built.stdout).toContain(`red: ${RED_BEFORE}`)
    expect(built.code).toBe(3)
    expect(made.json('status')).toMatchObject({
      tasks: expect.arrayContaining([expect.objectContaining({ status: 'waiting' })]),
    })
  })
})

describe('a run that the machine cut short', () => {
  const green = new RegExp(`two: ${KEPT}\n`)

  it.each([
    ['killed', 'kill -9 $$'],
    ['killed below a shell', "sh -c 'kill -9 $$'; exit $?"],
  ])('is made again and costs no attempt: %s', (_, act) => {
    const made = checkedBy(once('[ -e two.js ]', act), [two])
    const built = made.ralph(['build'])
    expect([built.code, runs(made)]).toEqual([0, 2])
    expect(built.stdout).toMatch(green)
    expect(built.stdout).not.toContain('failed')
    expect(made.git('notes', '--ref', 'ralph', 'show', `ralph/${made.build()}`)).toContain(
      'unit did not come to its own end once before, and was run again',
    )
  })

  it('is red where only the new code never ends, and the agent is told; it is not remembered', () => {
    const hang = `if [ -e two.js ] && [ ! -e "$ROOT/free" ]; then sleep 60; fi\nexec ${CHECK}\n`
    const made = checkedBy(hang, [two, unchanged, SIA_GIVES_UP], '[check.unit]\ntimeout = "3s"\n')
    const built = made.ralph(['build'])
    expect(built.stdout).toContain('two: red: unit ran into its time limit after 3 s: make it faster')
    expect(built.stdout).toContain('two: attempt 2 failed')
    expect([built.code, runs(made)]).toEqual([3, 4])
    writeFileSync(join(made.root, 'free'), '')
    expect(made.ralph(['resolve', '-m', 'the machine was busy']).code).toBe(0)
  })

  it('asks a human where the base does not come to its end either', () => {
    const made = checkedBy('exec kill -9 $$\n', [two, unchanged, SIA_GIVES_UP])
    const built = made.ralph(['build'])
    expect(built.stdout).toContain(
      'two: nothing was verified, since unit was killed by a signal, and without this change as well: ' +
        'see whether the machine has enough memory, then retry the task',
    )
    expect(built.stdout).not.toContain('attempt 1 failed')
    expect([built.code, runs(made)]).toEqual([3, 3])
  })

  it('asks a human where the base came to its end before, and does so no more', () => {
    const made = checkedBy(`if [ -e "$ROOT/dead" ]; then kill -9 $$; fi\nexec ${CHECK}\n`, [two])
    made.ok('create', 'six', 'Add six')
    const dies = { run: `touch '${join(made.root, 'dead')}'` }
    made.play({ ...two, attempt: '*' }, { role: 'implementer', task: 'six', steps: [dies, ...work('six', 6)] })
    const built = made.ralph(['build'])
    expect(built.stdout).toMatch(/two: done, merged as/)
    expect(built.stdout).toContain('six: nothing was verified, since unit was killed by a signal')
    expect([built.code, built.stdout.includes('attempt 1 failed')]).toEqual([3, false])
  })

  it('is the agent’s doing where its patch broke the setup', () => {
    const setup = '[workspace]\nsetup = "sh install.sh"\n'
    const broken = { write: { path: 'install.sh', content: 'echo no such package >&2; exit 1\n' } }
    const fixed = { write: { path: 'install.sh', content: 'true # fixed\n' } }
    const made = checkedBy(
      `exec ${CHECK}\n`,
      [
        { ...two, steps: [broken, ...work('two', 2)] },
        { role: 'implementer', task: 'two', steps: [fixed, COMPLETE] },
      ],
      setup,
    )
    made.write('install.sh', 'true\n')
    made.git('add', '--all')
    made.git('commit', '--quiet', '-m', 'setup')
    const built = made.ralph(['build'])
    expect(built.stdout).toContain('two: red: setup failed (exit 1)')
    expect(built.stdout).toContain('two: attempt 1 failed')
    expect([built.code, runs(made)]).toEqual([0, 1])
  })
})
