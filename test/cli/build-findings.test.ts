// Every command that shows a build reports suspected cheating in plain words.
import { describe, expect, it } from 'vitest'
import { CHECK, project } from '../rig/project.ts'
import { SIA_GIVES_UP } from '../rig/sessions.ts'
import { steady, story } from '../rig/story.ts'
import { KEPT } from '../rig/probes-off.ts'

const complete = { signal: { kind: 'TASK_COMPLETE' } }
/** A task that breaks `one`, and gets green by deleting the test that shows it. */
const deletes = {
  role: 'implementer',
  task: 'two',
  steps: [
    { write: { path: 'one.js', content: 'export const one = () => 2\n' } },
    { delete: 'one.test.js' },
    { write: { path: 'two.js', content: 'export const two = () => 2\n' } },
    {
      write: {
        path: 'two.test.js',
        content:
          "import { equal } from 'node:assert'\nimport { it } from 'node:test'\nimport * as all from './two.js'\n\nit('is two', () => {\n  equal(all.two(), 2)\n})\n",
      },
    },
    complete,
  ],
}
const review = (attempt: number, answer: object) => ({ role: 'reviewer', task: 'two', attempt, steps: [{ answer }] })
const refuses = review(1, {
  decision: 'request_changes',
  reasons: ['a test was deleted that nobody asked to delete'],
  required_fixes: ['bring one.test.js back'],
})
const approves = review(2, { decision: 'approve', reasons: ['one is no longer wanted'], required_fixes: [] })

const FOUND = [
  "unit: the test 'one' passed before and did not run now",
  'one.test.js: a test file that existed before was deleted',
]

const RED = "with the base's own tests: unit red (1 failed: 'one')"

describe('an agent that deletes a failing test', () => {
  it('is caught, told why, and what was cleared is shown with who cleared it', () => {
    const made = project({ script: [deletes, refuses, approves] })
    const { code, stdout } = made.ralph(['build'])
    expect([code, story(steady(stdout)).slice(5, 8)]).toEqual([
      0,
      [
        `two: ${KEPT}, but 2 findings need a second look`,
        'two: review: changes requested: bring one.test.js back; a test was deleted that nobody asked to delete',
        'two: attempt 1 failed: review: a test was deleted that nobody asked to delete; bring one.test.js back',
      ],
    ])
    expect(stdout).toContain(`a second look\n${[...FOUND, RED].map((line) => `            ${line}\n`).join('')}`)
    expect(story(stdout)).toContain('two: review: approved: one is no longer wanted')
    const section = [
      'Second look:',
      '  two: Add two',
      ...FOUND.map((line) => `    ${line}`),
      `    ${RED}`,
      '    cleared by reviewer scripted: one is no longer wanted',
      '',
    ].join('\n')
    expect(stdout).toContain(`\n\n${section}\n`)
    expect(made.ralph(['status']).stdout).toContain(`\n\n${section}`)
    expect(steady(stdout)).toContain(`COMMIT  two   ${KEPT}, 2 findings cleared  Add two`)
  })

  it('is shown the same in the report, in the log and as JSON', () => {
    const made = project({ script: [deletes, refuses, approves] })
    made.ralph(['build'])
    expect(made.ralph(['report']).stdout).toContain(
      [
        '## Second look',
        '',
        '### two: Add two',
        '',
        ...FOUND.map((line) => `- ${line}`),
        `- ${RED}`,
        '- cleared by reviewer scripted: one is no longer wanted',
        '',
      ].join('\n'),
    )
    expect(made.ralph(['log']).stdout).toContain([...FOUND, RED].map((line) => `${' '.repeat(29)}${line}\n`).join(''))
    const findings = [
      { rule: 'testGone', path: '.', line: null, what: FOUND[0] },
      { rule: 'testRemoved', path: 'one.test.js', line: null, what: 'a test file that existed before was deleted' },
    ]
    const cleared = { by: 'reviewer scripted', reasons: ['one is no longer wanted'] }
    const secondOpinion = { restored: ['one.test.js'], checks: [{ name: 'unit', ok: false }] }
    const shown = { findings: [{ task: 'two', findings, cleared, secondOpinion }] }
    expect([made.json('status'), made.json('report')]).toMatchObject([shown, shown])
    const facts = made.ralph(['log', '--json']).stdout.trim().split('\n')
    const verified = facts.map((line) => JSON.parse(line) as { type: string }).filter(({ type }) => type === 'verified')
    const baseTests = [{ name: 'unit', failed: 1, tests: ['one'] }]
    expect(verified).toMatchObject([
      { findings, baseTests },
      { findings, baseTests },
    ])
  })

  it('waits for a person where no reviewer is set, who clears it by name', () => {
    const made = project({ script: [deletes] })
    made.write('ralph.toml', `${made.read('ralph.toml')}[review]\nwhen = "never"\n`)
    const { code, stdout } = made.ralph(['build'])
    expect([code, stdout]).toEqual([
      3,
      expect.stringContaining(
        [
          'Task two waits for you: Add two',
          '  the checks are green, but the patch needs a second look and no reviewer is set: if it is in order, resolve it as it is and say why; if not, answer what to change',
          ...[...FOUND, RED].map((line) => `  ${line}`),
          '',
        ].join('\n'),
      ),
    ])
    expect(stdout).not.toContain('Second look:')
    expect(made.ralph(['resolve', 'two', '-m', 'one goes']).code).toBe(0)
    expect(made.ralph(['report']).stdout).toMatch(/\n- cleared by \S+: one goes\n/)
  })
})

describe('an agent whose task is a test that is red', () => {
  const RED = [
    "import { test } from 'node:test'",
    "import assert from 'node:assert/strict'",
    "import { one } from './one.js'",
    "test('one and one', () => assert.equal(one() + one(), 2))",
    "test('twice one', () => assert.equal(one(2), 2))",
    '',
  ].join('\n')
  const sees = (...steps: object[]) => {
    const made = project({ script: [{ role: 'implementer', steps: [...steps, complete] }, SIA_GIVES_UP] })
    made.write('red.test.js', RED)
    made.git('add', '--all')
    made.git('commit', '--quiet', '-m', 'red')
    made.ok('create', 'two', 'Make the tests green')
    made.write('ralph.toml', `${made.read('ralph.toml')}[review]\nwhen = "never"\n`)
    return made.ralph(['build'])
  }
  const lost = (told: string): string =>
    `unit was red before this task and is green only because fewer tests ran, 2 instead of 3: ${told}; bring back every test and make it pass`

  it('cannot delete it', () => {
    const content = RED.replace("test('twice one', () => assert.equal(one(2), 2))\n", '')
    const { code, stdout } = sees({ write: { path: 'red.test.js', content } })
    expect([code, stdout]).toEqual([
      3,
      expect.stringContaining(lost("the test 'twice one' failed before and did not run now")),
    ])
    expect(stdout).toContain('Nothing was merged.')
  })

  it('cannot skip it', () => {
    const content = RED.replace("test('twice", "test.skip('twice")
    const { code, stdout } = sees({ write: { path: 'red.test.js', content } })
    expect([code, stdout]).toEqual([
      3,
      expect.stringContaining(lost("the test 'twice one' failed before and is skipped now")),
    ])
  })

  it('is asked about another in its place', () => {
    const content = RED.replace("'twice one', () => assert.equal(one(2), 2)", "'one', () => assert.equal(one(), 1)")
    const { code, stdout } = sees({ write: { path: 'red.test.js', content } })
    expect([code, stdout]).toEqual([
      3,
      expect.stringContaining("\n  unit: the test 'twice one' failed before and did not run now\n"),
    ])
  })

  it('goes straight on when it makes it green', () => {
    const { code, stdout } = sees({ write: { path: 'one.js', content: 'export const one = (times = 1) => times\n' } })
    expect([code, story(stdout)]).toEqual([0, expect.arrayContaining([`two: ${KEPT}`, 'two: review: approved'])])
  })
})

describe('a project that asks for no tests', () => {
  const built = (check: string, path: string, content: string) => {
    const made = project({
      script: [{ role: 'implementer', task: 'two', steps: [{ write: { path, content } }, complete] }],
    })
    const toml = made.read('ralph.toml').replace(`"${CHECK}"`, JSON.stringify(check))
    made.write('ralph.toml', `${toml}[verify]\nrequire_tests = false\n`)
    return made.ralph(['build'])
  }
  const READS = 'for file in *.js; do node --check $file || exit 1; done'

  it('still has to name a check that notices broken code', () => {
    const { code, stdout } = built('echo ok', 'two.js', 'broken (\n')
    expect([code, stdout]).toEqual([
      3,
      expect.stringContaining(
        '\nNothing was merged.\n\nTask two waits for you: Add two\n  nothing was verified, since no check noticed (unit) that the changed files were broken on purpose: ',
      ),
    ])
    expect(stdout).not.toContain('require_tests')
  })

  it('goes on with one that does', () => {
    expect(built(READS, 'two.js', 'export const two = () => 2\n')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(KEPT),
    })
  })

  it('goes on with documents, of which nothing can be broken', () => {
    expect(built('echo ok', 'two.md', '# Two\n')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(KEPT),
    })
  })
})

describe('a project whose test command cannot fail', () => {
  it('is told that nothing was verified, and what to do', () => {
    const made = project({
      script: [{ ...deletes, steps: [{ write: { path: 'two.js', content: 'export {}\n' } }, complete] }],
    })
    made.write('package.json', '{"name":"numbers","type":"module","scripts":{"test":"exit 0"}}\n')
    made.write('ralph.toml', made.read('ralph.toml').replace(CHECK, 'npm test'))
    made.git('commit', '--quiet', '--all', '-m', 'no tests')
    const { code, stdout } = made.ralph(['build'])
    const sentence =
      'nothing was verified, since no check noticed (unit) that the changed files were broken on purpose: name commands in ' +
      "[checks] of ralph.toml that fail when the code is wrong; a build keeps its settings, so 'ralph abort' and then 'ralph " +
      "build' takes the new ones"
    expect([code, stdout]).toEqual([
      3,
      expect.stringContaining(`\nNothing was merged.\n\nTask two waits for you: Add two\n  ${sentence}\n`),
    ])
    expect(made.json('status')).toMatchObject({ status: 'human_needed', waiting: [{ task: 'two', reason: sentence }] })
    made.write('ralph.toml', made.read('ralph.toml').replace('npm test', CHECK))
    expect(made.ralph(['abort']).code).toBe(0)
    expect(made.ralph(['build'])).toMatchObject({ code: 0, stdout: expect.stringContaining('All tasks are complete.') })
  })
})

describe('an agent that says that a check is wrong', () => {
  const objects = (iteration: number, reason: string) => ({
    role: 'implementer',
    task: 'two',
    iteration,
    steps: [
      { savePrompt: `prompt-${iteration}.md` },
      { append: { path: 'two.js', content: `// ${iteration}\n` } },
      { signal: { kind: 'CHECK_WRONG', reason } },
    ],
  })
  const answer = (iteration: number, decision: string, reason: string) => ({
    role: 'reviewer',
    task: 'two',
    iteration,
    steps: [{ answer: { decision, reasons: [reason], required_fixes: decision === 'approve' ? [] : ['leave one'] } }],
  })

  it('is sent back to work where the reviewer disagrees; where not, a person is asked; no attempt is lost', () => {
    const made = project({
      script: [
        objects(1, 'one must be 2'),
        answer(1, 'request_changes', 'nothing says so'),
        objects(2, 'the spec says that one is 2'),
        answer(2, 'approve', 'spec and test contradict each other'),
        SIA_GIVES_UP,
      ],
    })
    const { code, stdout } = made.ralph(['build'])
    expect([code, story(stdout)]).toEqual([
      3,
      [
        'build started: 1 task',
        'two: attempt 1: Add two',
        'two: iteration 1.1',
        'two: says CHECK_WRONG: one must be 2',
        'two: review: the check is right: nothing says so; leave one',
        'two: iteration 1.2',
        'two: says CHECK_WRONG: the spec says that one is 2',
        'two: review: the check may be wrong: spec and test contradict each other',
        'two: a human is needed: the agent says that a check is wrong: the spec says that one is 2',
      ],
    ])
    expect(stdout).toContain(
      [
        'Task two waits for you: Add two',
        '  the agent says that a check is wrong: the spec says that one is 2',
        '  Review: spec and test contradict each other',
        '  If the check is wrong, mend it in the folder of the task and resolve the task; if it is right, answer why.',
        '',
      ].join('\n'),
    )
    expect(made.ralph(['diff', 'two']).stdout).toMatch(/\n\+- nothing says so\n\+- leave one\n/)
    expect(made.json('status')).toMatchObject({
      spent: { interventions: 0 },
      tasks: [{ id: 'two', status: 'waiting', attempt: 1, iteration: 2 }],
    })
    expect(made.ralph(['log', '--json']).stdout).not.toContain('taskFailed')
  })

  it('is heard by a person at once where no reviewer is set', () => {
    const made = project({ script: [objects(1, 'one must be 2')] })
    made.write('ralph.toml', `${made.read('ralph.toml')}[review]\nwhen = "never"\n`)
    expect(made.ralph(['build'])).toMatchObject({
      code: 3,
      stdout: expect.stringContaining('\n  Review: no reviewer is set\n'),
    })
  })
})
