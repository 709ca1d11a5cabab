// Setup and checks on HEAD come before the first agent: what no task could fix stops the build, and costs no session.
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CHECK, project, type Project } from '../rig/project.ts'
import { steady, wholeStory } from '../rig/story.ts'
import { answers, GOAL, work } from '../rig/sessions.ts'

const two = { role: 'implementer', task: 'two', steps: work('two', 2) }
const three = { role: 'implementer', task: 'three', steps: work('three', 3) }

function factsOf(made: Project): Readonly<Record<string, unknown>>[] {
  const { stdout } = made.ralph(['log', '--json'])
  return stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Record<string, unknown>]))
}

/** Of whatever role. */
function sessions(made: Project): number {
  return factsOf(made).filter(({ type }) => ['planning', 'iterationStarted', 'siaTriggered'].includes(String(type)))
    .length
}

function commit(made: Project, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) made.write(path, text)
  made.git('add', '--all')
  made.git('commit', '--quiet', '-m', 'more')
}

function settings(made: Project, ...changes: readonly (readonly [from: string, to: string])[]): void {
  const text = changes.reduce((all, [from, to]) => all.replace(from, to), made.read('ralph.toml'))
  commit(made, { 'ralph.toml': text })
}

/** The check leaves a line for each of its runs. */
function counted(made: Project): () => number {
  const log = join(made.root, 'runs')
  settings(made, [`unit = "${CHECK}"`, `unit = "echo run >> '${log}' && ${CHECK}"`])
  return () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n').length : 0)
}

const SETUP = '[workspace]\nsetup = "sh setup.sh"\n'
/** As `npm ci` says it: the cause first, then pages of usage. */
const NPM_CI = `echo "npm error code EUSAGE" >&2
echo "npm error" >&2
echo "npm error Missing: vitest@3.2.4 from lock file" >&2
echo "npm error Usage:" >&2
for i in $(seq 1 400); do echo "npm error   --option-$i of many" >&2; done
exit 1
`

describe('no session is started', () => {
  it('where the setup fails, with the lines that say why', () => {
    const made = project({ script: [two] })
    commit(made, { 'setup.sh': NPM_CI, 'ralph.toml': `${made.read('ralph.toml')}${SETUP}` })
    const end = made.ralph(['build'])
    expect({ code: end.code, sessions: sessions(made), story: wholeStory(end.stdout) }).toEqual({
      code: 3,
      sessions: 0,
      story: [
        'build started: 1 task',
        'running setup and checks on HEAD first …',
        "no agent is started: the setup, 'sh setup.sh', fails on HEAD (exit 1)",
      ],
    })
    expect(end.stdout).toContain(`
A human is needed to go on. No agent was started: the setup, 'sh setup.sh', fails on HEAD (exit 1):
  npm error code EUSAGE
  npm error Missing: vitest@3.2.4 from lock file
Make 'sh setup.sh' succeed in a fresh checkout of HEAD, or correct [workspace] setup in ralph.toml.`)
    expect(made.json('status')).toMatchObject({
      state: 'paused',
      lastError: expect.stringContaining("the setup, 'sh setup.sh', fails on HEAD"),
    })
    expect(made.ralph(['status']).stdout).toContain("Stopped: the setup, 'sh setup.sh', fails on HEAD (exit 1):\n")
    expect(made.ralph(['watch'])).toMatchObject({ code: 3, stdout: expect.stringContaining('Missing: vitest@3.2.4') })
  })

  it('where a program is missing, not even that of a planner', () => {
    const made = project({ tasks: 'planned', script: [answers()] })
    commit(made, {
      'package.json': '{"name":"numbers","type":"module","scripts":{"test":"vitst run"}}\n',
      'ralph.toml': made.read('ralph.toml').replace(`unit = "${CHECK}"`, 'unit = "npm test"'),
    })
    const end = made.ralph(['build', GOAL])
    expect([end.code, sessions(made)]).toEqual([3, 0])
    expect(end.stdout).toContain("unit cannot run on HEAD, since the program 'vitst' was not found:\n")
    expect(end.stdout).toMatch(/^ {2}.*sh: .*vitst: (?:command )?not found\nInstall 'vitst' where/m)
  })

  it('where there is no check', () => {
    const made = project({ script: [two] })
    settings(made, [`unit = "${CHECK}"\n`, ''])
    const end = made.ralph(['build', '--json'])
    const done = JSON.parse(end.stdout.trim().split('\n').at(-1) ?? '') as object
    expect([end.code, sessions(made), done]).toMatchObject([
      3,
      0,
      {
        reason: 'HumanNeeded',
        exit: 3,
        sentence: expect.stringContaining('No agent was started: no check is configured'),
      },
    ])
  })

  it('where a check takes too long, which is tried twice', () => {
    const made = project({ script: [two] })
    const runs = counted(made)
    settings(made, [`&& ${CHECK}"`, '&& sleep 60"\n[check.unit]\ntimeout = "1s"'])
    const end = made.ralph(['build'])
    expect({ code: end.code, sessions: sessions(made), runs: runs() }).toEqual({ code: 3, sessions: 0, runs: 2 })
    expect(end.stdout).toContain('No agent was started: unit ran into its time limit on HEAD twice, after 1 s each\n')
  })

  it('by a step, until it is fixed; then it goes on', () => {
    const made = project({ script: [two] })
    const bin = join(made.root, 'bin')
    const env = { PATH: `${bin}:${made.env['PATH']}` }
    settings(made, [`unit = "${CHECK}"`, 'unit = "run-tests"'])
    made.ralph(['build', '--once'], { env })
    const step = made.ralph(['step'], { env })
    expect([step.code, sessions(made)]).toEqual([3, 0])
    expect(step.stdout).toContain("since the program 'run-tests' was not found")
    mkdirSync(bin)
    writeFileSync(join(bin, 'run-tests'), `#!/bin/sh\nexec ${CHECK}\n`)
    chmodSync(join(bin, 'run-tests'), 0o755)
    expect([made.ralph(['step'], { env }).code, sessions(made)]).toEqual([0, 1])
    const end = made.ralph(['build'], { env })
    expect([end.code, made.json('status')]).toMatchObject([0, { state: 'complete', lastError: null }])
  })

  it('when it is interrupted meanwhile', async () => {
    const made = project({ script: [two] })
    settings(made, [`unit = "${CHECK}"`, 'unit = "sleep 600"'])
    const started = made.start(['build'])
    await started.saw('running setup and checks on HEAD first')
    started.child.kill('SIGINT')
    expect((await started.ended).code).toBe(130)
    expect([sessions(made), made.json('status')]).toMatchObject([0, { state: 'running' }])
  })

  it('when it is aborted from elsewhere meanwhile', async () => {
    const made = project({ script: [two] })
    settings(made, [`unit = "${CHECK}"`, 'unit = "sleep 600"'])
    const started = made.start(['build', '--workers', '2'])
    await started.saw('running setup and checks on HEAD first')
    expect(made.ralph(['abort']).code).toBe(0)
    expect([(await started.ended).code, sessions(made)]).toEqual([1, 0])
  })
})

describe('agents are started', () => {
  it('where tests are red, which is said in one line', () => {
    const made = project({ script: [two] })
    const runs = counted(made)
    commit(made, { 'one.js': 'export const one = () => 2\n' })
    made.play({
      ...two,
      steps: [{ write: { path: 'one.js', content: 'export const one = () => 1\n' } }, ...work('two', 2)],
    })
    const end = made.ralph(['build'])
    expect([end.code, wholeStory(end.stdout)[2]]).toEqual([0, 'unit is red on HEAD: 1 test fails'])
    expect(runs()).toBe(2)
  })

  it('in a new project that has nothing to run yet', () => {
    const made = project({
      script: [
        {
          role: 'implementer',
          task: 'two',
          steps: [
            { write: { path: 'package.json', content: '{"type":"module","scripts":{"test":"node --test"}}\n' } },
            ...work('two', 2),
          ],
        },
      ],
    })
    made.git('rm', '--quiet', 'package.json', 'one.js', 'one.test.js')
    settings(made, [`unit = "${CHECK}"`, 'unit = "npm test"'])
    const end = made.ralph(['build'])
    expect([end.code, wholeStory(end.stdout)[2]]).toEqual([0, 'unit has nothing to run yet'])
    expect(end.stdout).toContain('All tasks are complete.')
  })

  it('with several workers after one run of the checks, which no verification repeats', () => {
    const made = project({ script: [two, three] })
    const runs = counted(made)
    made.ok('block', 'three', '--by', 'two')
    const end = made.ralph(['build', '--workers', '2'])
    // HEAD, then each task; that tree is what the next one starts from.
    expect([end.code, runs()]).toEqual([0, 3])
    expect(wholeStory(steady(end.stdout)).slice(0, 4)).toEqual([
      'build started: 2 tasks',
      'running setup and checks on HEAD first …',
      expect.stringMatching(/^unit: 1 test green \(\d+(?:\.\d)? s\)$/),
      'two: attempt 1: Add two',
    ])
  })

  it('a red base is run once, however many attempts stand on it', () => {
    const made = project({
      script: [
        { ...two, steps: work('two', 2, 3) },
        { role: 'sia', steps: [{ answer: { type: 'escalate', reason: 'no' } }] },
      ],
    })
    const runs = counted(made)
    commit(made, { 'one.js': 'export const one = () => 2\n' })
    expect(made.ralph(['build']).code).toBe(3)
    // HEAD, and the first attempt: the second hands in the same tree, which is known to be red.
    expect(runs()).toBe(2)
  })

  it('and what a build goes on from is run, not where HEAD is by now', () => {
    const made = project({ script: [two, three] })
    const runs = counted(made)
    made.ok('block', 'three', '--by', 'two')
    expect([made.ralph(['build', '-n', '1']).code, runs()]).toEqual([0, 2])
    commit(made, { 'one.js': 'export const one = () => 2\n' })
    const end = made.ralph(['build'])
    expect([end.code, steady(wholeStory(end.stdout)[0] ?? '')]).toEqual([
      0,
      'running setup and checks on ralph/BUILD first …',
    ])
    expect(wholeStory(end.stdout)[1]).toMatch(/^unit: 2 tests green/)
  })

  it('a dry run runs nothing', () => {
    const made = project({ script: [two] })
    const runs = counted(made)
    expect([made.ralph(['build', '--dry-run']).code, runs()]).toEqual([0, 0])
  })
})
