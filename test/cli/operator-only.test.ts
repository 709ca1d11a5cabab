// Commands for the operator are refused to every process that a build has started, and to no other.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { RALPH } from '../rig/scratch.ts'
import { CHECK, project, type Project } from '../rig/project.ts'

const NODE = `'${process.execPath}'`
const LIBRARY = join(import.meta.dirname, '../../dist/index.js')

const sentence = (command: string): string =>
  `Error: 'ralph ${command}' is for the operator: what a build has started cannot do it; an agent that needs it ends its session with TASK_STUCK and says why [RALPH_OPERATOR_ONLY]`
const NOT_THE_PLAN = expect.stringMatching(/^Error: the plan is not a session's to change; /) as string

/** Each as it would do harm if it were let through. */
const OPERATOR_COMMANDS = [
  'resolve two -m x --unverified --yes',
  'skip two',
  'retry two',
  'answer two -m x',
  'open two',
  'pause',
  'resume',
  'abort',
  'ship --allow-skipped --allow-unverified --yes',
  'revert',
  'step',
  'build',
  'plan x',
  'recover --restore x',
  'clean --yes',
  'serve --port 0',
  'idea add x',
  'idea move i_1 building',
  'init --yes',
]
const PLAN_COMMANDS = [
  'task update three --status done',
  'task update two -t easy',
  'task delete three',
  'task delete --all --confirm',
  'task block three --by two',
  'task unblock three --by two',
  'task plan-sync',
  'task agent register',
]

interface Said {
  readonly code: number
  readonly text: string
}

/** A project whose agent is a shell script; `said` is called there with a label and the words to run. */
function played(script: (made: Project) => readonly string[], toml: (made: Project) => string = () => ''): Project {
  const made = project()
  const agent = join(made.root, 'agent.sh')
  const notes = join(made.root, 'notes')
  writeFileSync(notes, '')
  writeFileSync(
    agent,
    [
      'said() { label=$1; shift; text=$("$@" 2>&1 </dev/null); code=$?',
      `  printf '%s\\t%s\\t%s\\n' "$label" $code "$(echo "$text" | head -n 1)" >> '${notes}'; }`,
      ...script(made),
      'echo TASK_STUCK: done with it',
    ].join('\n'),
  )
  made.write(
    'ralph.toml',
    `[agents]\ndefault = "command"\n[agent.command]\ncommand = ["sh", ${JSON.stringify(agent)}]\n[limits]\nattempts = 1\ninterventions = 0\n${toml(made)}`,
  )
  made.git('commit', '--quiet', '--all', '--message', 'agent')
  made.ok('create', 'two', 'Add two')
  made.ok('create', 'three', 'Add three', '--deps', 'two')
  return made
}

/** Runs the command after its parent has ended. */
function detached(root: string): string {
  const path = join(root, 'detached.sh')
  writeFileSync(path, 'sleep 0.3\nenv -u RALPH_SOCKET ralph skip two > "$1" 2>&1\necho $? > "$1.code"\n')
  return path
}

function notesOf({ root }: Project): Record<string, Said> {
  const lines = readFileSync(join(root, 'notes'), 'utf8').trimEnd().split('\n')
  return Object.fromEntries(
    lines.map((line) => {
      const [label = '', code, text = ''] = line.split('\t')
      return [label, { code: Number(code), text }]
    }),
  )
}

const typesOf = (made: Project): string[] =>
  made
    .ralph(['log', '--json'])
    .stdout.trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { type: string }).type)

const UNDISTURBED = [
  'buildStarted',
  'baselineStarted',
  'baselineDone',
  'taskStarted',
  'iterationStarted',
  'iterationDone',
  'taskFailed',
  'humanNeeded',
]
const CHECKS = `[checks]\nunit = "${CHECK}"\n`

/** Nothing changed: the task waits, the other is open, nothing was shipped, and no agent is registered. */
function expectUntouched(made: Project, head: string): void {
  expect(typesOf(made).filter((type) => type !== 'commandRefused')).toEqual(UNDISTURBED)
  const tasks = made.ok('list', '--json')
  expect(JSON.parse(tasks)).toMatchObject([
    { id: 'two', title: 'Add two', status: 'waiting' },
    { id: 'three', title: 'Add three', status: 'open', deps: ['two'] },
  ])
  expect(made.json('idea', 'list')).toMatchObject({ ideas: [{ phase: 'paused' }] })
  expect(made.git('rev-parse', 'main')).toBe(head)
}

describe('an agent in its session', () => {
  it('is refused every command of the operator, in the checkout and without its socket', () => {
    const commands = [...OPERATOR_COMMANDS, ...PLAN_COMMANDS]
    const made = played(
      ({ folder }) => [
        `cd '${folder}'`,
        ...commands.map((words) => `said '${words}' env -u RALPH_SOCKET ralph ${words}`),
      ],
      () => CHECKS,
    )
    const head = made.git('rev-parse', 'main')
    expect(made.ralph(['build']).code).toBe(3)
    const refusals = OPERATOR_COMMANDS.map((words) => {
      const name = /^(idea )?[a-z]+/.exec(words)?.[0] ?? ''
      return [words, { code: 1, text: sentence(name) }]
    })
    const kept = PLAN_COMMANDS.map((words) => [words, { code: 1, text: NOT_THE_PLAN }])
    expect(notesOf(made)).toEqual(Object.fromEntries([...refusals, ...kept]))
    expectUntouched(made, head)
  })

  it('is refused in every disguise', () => {
    const made = played(
      ({ folder, root, storePath }) => [
        `said 'own folder' ralph skip two`,
        `said 'own folder, no socket' env -u RALPH_SOCKET ralph skip two`,
        `said 'by GIT_DIR' env GIT_DIR='${folder}/.git' ralph skip two`,
        `cd '${root}'`,
        `said 'by the path of the store' env RALPH_DATABASE_URL='sqlite:${storePath}' RALPH_SCOPE_REPO=. RALPH_SCOPE_BRANCH=main ralph skip two`,
        `said 'by naming the folder' sh -c 'exec ${NODE} ${RALPH} serve "${folder}" --port 0'`,
        `cd '${folder}'`,
        `said 'by its socket' ralph skip two`,
        `said 'by no marker' env -u RALPH_RUN ralph skip two`,
        `said 'by a wrong marker' env RALPH_RUN=0123456789abcdef0123456789abcdef ralph skip two`,
        `said 'by a wrong socket' env RALPH_SOCKET=/nowhere ralph skip two`,
        `said 'by the name of a command of the operator' env RALPH_OPERATOR_RUN="\${RALPH_RUN##*:}" ralph skip two`,
        `said 'by nothing at all' env -i ${NODE} ${RALPH} skip two`,
        `said 'by sh -c' sh -c 'sh -c "env -u RALPH_SOCKET -u RALPH_RUN ralph skip two; exit \\$?"'`,
        `said 'by setsid' setsid -w env -u RALPH_SOCKET -u RALPH_RUN ralph skip two`,
        `(setsid sh '${detached(root)}' '${root}/late' &)`,
        `said 'reparented' sh -c 'n=0; until test -s "$0.code" || test $n -gt 300; do sleep 0.1; n=$((n+1)); done; cat "$0"; exit $(cat "$0.code")' '${root}/late'`,
        `said 'by the library' ${NODE} --input-type=module -e 'import { openRalph } from ${JSON.stringify(LIBRARY)}; const ralph = await openRalph(); try { await ralph.abort({ build_id: (await ralph.builds()).builds[0].sessionId }) } catch (error) { console.log(error.message); process.exitCode = 1 } await ralph.close()'`,
        `said 'by the build agent' ${NODE} --input-type=module -e 'import { BuildAgent } from ${JSON.stringify(LIBRARY)}; try { await new BuildAgent().skipTask("x") } catch (error) { console.log(error.message); process.exitCode = 1 }'`,
      ],
      () => CHECKS,
    )
    const head = made.git('rev-parse', 'main')
    expect(made.ralph(['build']).code).toBe(3)
    const notes = notesOf(made)
    const skipped = { code: 1, text: sentence('skip') }
    const inside = /^'ralph\.\w+' is for the operator: what a build has started cannot do it; /
    expect(notes).toEqual({
      ...Object.fromEntries(Object.keys(notes).map((label) => [label, skipped])),
      'by naming the folder': { code: 1, text: sentence('serve') },
      'by the library': { code: 1, text: expect.stringMatching(inside) as string },
      'by the build agent': { code: 1, text: expect.stringMatching(inside) as string },
    })
    expect(Object.keys(notes)).toHaveLength(16)
    expectUntouched(made, head)
  })

  it('may look, and run dry', () => {
    const words = ['status', 'log', 'report', 'recover', 'clean --dry-run', 'task list', 'task show two', 'idea list']
    const made = played(
      ({ folder }) => [`cd '${folder}'`, ...words.map((word) => `said '${word}' ralph ${word}`)],
      () => CHECKS,
    )
    made.ralph(['build'])
    expect(Object.entries(notesOf(made)).map(([word, { code }]) => `${word}: ${code}`)).toEqual(
      words.map((word) => `${word}: 0`),
    )
  })

  it('is told of in the log, each command once', () => {
    const made = played(
      ({ folder }) => [
        `cd '${folder}'`,
        ...['skip two', 'skip two', 'task delete three'].map((words, at) => `said ${at} ralph ${words}`),
        'said 4 env -u RALPH_SOCKET ralph abort',
      ],
      () => CHECKS,
    )
    const { stdout } = made.ralph(['build'])
    const told = stdout.split('\n').filter((line) => line.includes('tried'))
    expect(told.map((line) => line.slice('00:00:00  '.length))).toEqual(
      ['skip', 'task delete', 'abort'].map(
        (command) => `two: the agent tried 'ralph ${command}', which only you may do; it was refused`,
      ),
    )
  })
})

it('a check is refused as well, by build and by verify', () => {
  const made = played(
    () => [
      `echo 'export const two = () => 2' > two.js`,
      `printf "import { test } from 'node:test'\\nimport assert from 'node:assert/strict'\\nimport { two } from './two.js'\\ntest('two', () => assert.equal(two(), 2))\\n" > two.test.js`,
      'echo TASK_COMPLETE; exit',
    ],
    ({ folder, root }) =>
      `[checks]\nunit = ${JSON.stringify(`(cd '${folder}'; ${NODE} ${RALPH} abort; env -i ${NODE} ${RALPH} skip three) >> '${root}/checked' 2>&1; ${CHECK}`)}\n`,
  )
  made.ralph(['task', 'delete', 'three'])
  expect(made.ralph(['build'])).toMatchObject({ code: 0 })
  const checked = (): string[] => readFileSync(join(made.root, 'checked'), 'utf8').trimEnd().split('\n')
  const both = [sentence('abort'), sentence('skip')]
  expect(new Set(checked())).toEqual(new Set(both))
  const before = checked().length
  expect(made.ralph(['verify']).code).toBe(0)
  expect(checked().length).toBeGreaterThan(before)
  expect(new Set(checked())).toEqual(new Set(both))
  expect(typesOf(made)).not.toContain('buildAborted')
})

describe('nobody else is hindered', () => {
  it('the operator, beside a running session', async () => {
    const made = played(
      ({ root }) => [`until test -e '${root}/go'; do sleep 0.1; done`],
      () => CHECKS,
    )
    const building = made.start(['build'])
    await building.saw('two: iteration 1.1')
    expect(made.ralph(['pause'])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^paused /) as string })
    expect(made.ralph(['resume']).code).toBe(0)
    expect(made.ralph(['task', 'update', 'three', '-t', 'Add 3'])).toMatchObject({ code: 0 })
    expect(made.ralph(['skip', 'two'])).toMatchObject({ code: 0, stdout: 'skipped two\n' })
    expect(made.ralph(['abort']).code).toBe(0)
    writeFileSync(join(made.root, 'go'), '')
    await building.ended
  })

  it('a build in another store, inside a session', () => {
    const made = played(
      ({ root }) => {
        const scenario = {
          sessions: [{ role: 'implementer', steps: [{ signal: { kind: 'TASK_STUCK', reason: 'x' } }] }],
        }
        writeFileSync(join(root, 'inner.json'), JSON.stringify(scenario))
        const toml = `[agents]\\ndefault = "scripted"\\n[agent.scripted]\\nscenario = "../inner.json"\\n[checks]\\nunit = "node --test"\\n[limits]\\nattempts = 1\\ninterventions = 0\\n`
        return [
          `mkdir '${root}/inner' && cd '${root}/inner' && git init -q -b main . && printf '${toml}' > ralph.toml`,
          'git add -A && git -c user.name=x -c user.email=x@example.com commit -qm x',
          'said create env -u RALPH_SOCKET ralph task create inner Inner',
          'said update ralph task update inner -t other',
          'said build ralph build --json',
          'said skip ralph skip inner',
          'said clean ralph clean --yes',
        ]
      },
      () => CHECKS,
    )
    expect(made.ralph(['build']).code).toBe(3)
    expect(Object.entries(notesOf(made)).map(([label, { code }]) => [label, code])).toEqual([
      ['create', 0],
      ['update', 0],
      ['build', 3],
      ['skip', 0],
      ['clean', 0],
    ])
  })

  it("the operator's own command that is told of a build", () => {
    const made = played(
      () => [],
      ({ root }) =>
        `${CHECKS}[notify]\ncommand = ${JSON.stringify(`${NODE} ${RALPH} skip two > '${root}/notified' 2>&1`)}\n`,
    )
    made.ralph(['build'])
    expect(readFileSync(join(made.root, 'notified'), 'utf8')).toMatch(/^skipped two\n/)
    expect(typesOf(made)).toContain('taskSkipped')
  })
})
