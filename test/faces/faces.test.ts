// The same verbs, through every way in, on equal repositories: the same answers, the same refusals in the same words, and
// the same facts afterwards.
import { expect, it, onTestFinished } from 'vitest'
import { type Project, project, work } from '../cli/build-project.ts'
import { RALPH, scratch } from '../cli/ralph.ts'
import { startClient } from '../mcp/client.ts'
import { cliPlayer, httpPlayer, libraryPlayer, type Outcome, type Player, type Verb } from './players.ts'

const session = (task: string, ...numbers: number[]) => ({ role: 'implementer', task, steps: work(task, ...numbers) })

/** A build that waits for a human at its first task. */
async function waiting(): Promise<Project> {
  const made = project(session('wrong', 4, 3), session('three'))
  made.write(
    'ralph.toml',
    made.read('ralph.toml').replace('attempts = 2\ninterventions = 1', 'attempts = 1\ninterventions = 0'),
  )
  made.ok('block', 'three', '--by', 'wrong')
  expect((await made.start(['build']).ended).code).toBe(3)
  return made
}

const story: readonly Verb[] = [
  { do: 'status' },
  { do: 'tasks' },
  { do: 'task', task: 'wrong' },
  { do: 'task', task: 'none' },
  { do: 'answer', task: 'none', text: 'x' },
  { do: 'retry', task: 'three' },
  { do: 'skip', task: 'none' },
  { do: 'publish' },
  { do: 'pause' },
  { do: 'pause' },
  { do: 'status' },
  { do: 'resume' },
  { do: 'step' },
  { do: 'answer', task: 'wrong', text: 'three is three' },
  { do: 'retry', task: 'wrong' },
  { do: 'skip', task: 'wrong' },
  { do: 'skip', task: 'wrong' },
  { do: 'step' },
  { do: 'status' },
  { do: 'publish' },
  { do: 'abort' },
  { do: 'abort' },
  { do: 'pause' },
  { do: 'skip', task: 'three' },
  { do: 'step' },
  { do: 'tasks' },
  { do: 'facts' },
]

/** What is new in each repository, and who spoke. */
function steady(outcome: Outcome): unknown {
  const text = JSON.stringify(outcome)
    .replaceAll(/"at":\d+/g, '"at":0')
    .replaceAll(/"by":"[^"]*"/g, '"by":"WHO"')
    .replaceAll(/\bb_[0-9a-z]{14,}\b/g, 'BUILD')
    .replaceAll(/\bi_[0-9a-z]{14,}\b/g, 'IDEA')
    .replaceAll(/\b[0-9a-f]{10,64}\b/g, 'HASH')
  return JSON.parse(text)
}

it('a build: command line, HTTP and library', async () => {
  const [onCli, onHttp, onLibrary] = await Promise.all([waiting(), waiting(), waiting()])
  const players: Record<string, Player> = {
    cli: cliPlayer(onCli),
    http: await httpPlayer(onHttp),
    library: await libraryPlayer(onLibrary),
  }
  const elsewhere: Record<string, Player> = { library: cliPlayer(onLibrary) }
  const heard = []
  for (const verb of story) {
    const played = await Promise.all(
      Object.entries(players).map(async ([face, play]): Promise<[string, unknown][]> => {
        const outcome = await play(verb)
        if (outcome !== null) return [[face, withoutOrder(steady(outcome))]]
        await elsewhere[face]?.(verb)
        return []
      }),
    )
    const outcomes: Record<string, unknown> = Object.fromEntries(played.flat())
    heard.push({ verb, outcomes })
  }
  const wanted = heard.map(({ verb, outcomes }) => ({
    verb,
    outcomes: Object.fromEntries(Object.keys(outcomes).map((face) => [face, outcomes['cli']])),
  }))
  expect(heard).toEqual(wanted)
  expect(heard.flatMap(({ outcomes }) => (outcomes['cli'] as { refused?: string }).refused ?? [])).toEqual([
    'RALPH_TASK_NOT_FOUND',
    'RALPH_TASK_NOT_FOUND',
    'RALPH_ATTEMPT_NOT_FOUND',
    'RALPH_TASK_NOT_FOUND',
    'RALPH_BUILD_STATE',
    'RALPH_TASK_NOT_WAITING',
    'RALPH_BUILD_STATE',
    'RALPH_BUILD_STATE',
    'RALPH_BUILD_STATE',
  ])
  expect(heard.filter(({ outcomes }) => Object.keys(outcomes).length < 2)).toEqual([])
})

/** Fields come in another order here and there, and what checks print tells the time. */
function withoutOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutOrder)
  if (typeof value === 'string') return value.split('\n', 1)[0]
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted()
      .map(([name, one]) => [name, withoutOrder(one)]),
  )
}

const tools: readonly [words: readonly string[], tool: string, input: object][] = [
  [['create', 'two', 'Add two'], 'task_create', { id: 'two', title: 'Add two' }],
  [
    ['create', 'three', 'Add three', '--deps', 'two'],
    'task_create',
    { id: 'three', title: 'Add three', deps: ['two'] },
  ],
  [['create', 'two', 'Again'], 'task_create', { id: 'two', title: 'Again' }],
  [['create', 'a b', 'Bad'], 'task_create', { id: 'a b', title: 'Bad' }],
  [['claim', 'none', '--agent', 'ada'], 'task_claim', { id: 'none' }],
  [['claim', 'three', '--agent', 'ada'], 'task_claim', { id: 'three' }],
  [['claim', 'two', '--agent', 'ada'], 'task_claim', { id: 'two' }],
  [['renew', 'two', '--agent', 'ada'], 'task_renew', { id: 'two' }],
  [['fail', 'two', '--reason', 'no key'], 'task_fail', { id: 'two', reason: 'no key' }],
  [['claim', 'two', '--agent', 'ada'], 'task_claim', { id: 'two' }],
  [['done', 'two', '--result', '{"commit":"abc"}'], 'task_done', { id: 'two', result: { commit: 'abc' } }],
  [['done', 'none'], 'task_done', { id: 'none' }],
]

it('tasks: command line and MCP', async () => {
  const [onCli, onMcp] = [scratch(), scratch()]
  const client = startClient([process.execPath, RALPH, 'mcp'], { folder: onMcp.folder, env: onMcp.env })
  onTestFinished(async () => void (await client.end()))
  await client.request('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '0' },
  })
  const tasks = (made: typeof onCli): unknown =>
    JSON.parse(
      made
        .ralph(['task', 'list', '--all', '--json'])
        .stdout.replaceAll(/"(assignee|\w+(?:At|_at))":("[^"]*"|\d+)/g, '"$1":"X"'),
    )
  for (const [words, tool, input] of tools) {
    const { code, stderr } = onCli.task(...words)
    const said = await client.call(tool, input)
    const refused = said.startsWith('ERROR: ') ? said.slice('ERROR: '.length) : ''
    const sentence = code === 0 ? '' : (/^Error: (.*)$/m.exec(stderr)?.[1] ?? stderr)
    expect([words, refused]).toEqual([words, sentence])
    expect([words, tasks(onMcp)]).toEqual([words, tasks(onCli)])
  }
})
