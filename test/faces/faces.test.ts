// The same verbs through every face, on equal repositories: the same answers, the same refusals in the same words, and
// the same facts afterwards.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { cliPlayer, httpPlayer, libraryPlayer, type Outcome, type Player, type Verb } from './players.ts'
import { project, type Project } from '../rig/project.ts'
import { answers, work } from '../rig/sessions.ts'

const session = (task: string, ...numbers: number[]) => ({ role: 'implementer', task, steps: work(task, ...numbers) })

/** The command line makes one of this form. */
const IDEA = 'i_00000000000001'

function unstarted(): Project {
  const made = project({ script: [session('wrong', 4, 3), session('three')] })
  made.write(
    'ralph.toml',
    made.read('ralph.toml').replace('attempts = 2\ninterventions = 1', 'attempts = 1\ninterventions = 0'),
  )
  made.ok('block', 'three', '--by', 'wrong')
  return made
}

/** A build that waits for a human at its first task. */
async function waiting(): Promise<Project> {
  const made = unstarted()
  expect((await made.start(['build']).ended).code).toBe(3)
  return made
}

/** A build that waits: the answers and the refusals of every verb. */
const steered: readonly Verb[] = [
  { do: 'status' },
  { do: 'session' },
  { do: 'tasks' },
  { do: 'task', task: 'wrong' },
  { do: 'task', task: 'none' },
  { do: 'answer', task: 'none', text: 'x' },
  { do: 'retry', task: 'three' },
  { do: 'skip', task: 'none' },
  { do: 'revert' },
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
  { do: 'resolve', task: 'wrong', text: 'too late' },
  { do: 'step' },
  { do: 'status' },
  { do: 'gate' },
  { do: 'publish' },
  { do: 'abort' },
  { do: 'abort' },
  { do: 'pause' },
  { do: 'skip', task: 'three' },
  { do: 'resolve', task: 'three', text: 'too late' },
  { do: 'step' },
  { do: 'tasks' },
  { do: 'facts' },
]

/** A build from its start to the base branch: with a person's fix, and a patch that is taken back. */
const whole: readonly (Verb | 'fix')[] = [
  { do: 'start' },
  { do: 'step' },
  { do: 'status' },
  { do: 'session' },
  { do: 'resolve', task: 'wrong', text: 'nothing was done' },
  'fix',
  { do: 'resolve', task: 'wrong', text: 'it is three' },
  { do: 'resolve', task: 'wrong', text: 'again' },
  { do: 'status' },
  { do: 'step' },
  { do: 'step' },
  { do: 'step' },
  { do: 'verify' },
  { do: 'revert' },
  { do: 'gate' },
  { do: 'step' },
  { do: 'step' },
  { do: 'step' },
  { do: 'publish' },
  { do: 'publish' },
  { do: 'session' },
  { do: 'facts' },
]

/** What the command line has no word for: a build that somebody else plans the steps of. */
const created: readonly Verb[] = [
  { do: 'create', idea: 'b_1' },
  { do: 'create', idea: IDEA },
  { do: 'create', idea: IDEA },
  { do: 'step' },
  { do: 'status' },
  { do: 'abort' },
  { do: 'facts' },
]

/** Replaces the parts that differ by repository and by face. */
function steady(outcome: Outcome | null): unknown {
  const text = JSON.stringify(outcome)
    .replaceAll(/"at":\d+/g, '"at":0')
    .replaceAll(/"by":"[^"]*"/g, '"by":"WHO"')
    .replaceAll(/\bb_[0-9a-z]{14,}\b/g, 'BUILD')
    .replaceAll(/\bi_[0-9a-z]{14,}\b/g, 'IDEA')
    .replaceAll(/\b[0-9a-f]{10,64}\b/g, 'HASH')
    .replaceAll(/\(\d+(?:\.\d)? s\)/g, '(TIME)')
  return JSON.parse(text)
}

interface Heard {
  readonly verb: Verb
  readonly outcomes: Readonly<Record<string, unknown>>
}

/** Each face has a repository of its own; `mend`: what a person does there. */
async function play(
  faces: Readonly<Record<string, { readonly made: Project; readonly play: Player }>>,
  story: readonly (Verb | 'fix')[],
  mend: (made: Project) => void = () => {},
): Promise<Heard[]> {
  const heard: Heard[] = []
  for (const verb of story) {
    const all = Object.entries(faces)
    if (verb === 'fix') for (const [, { made }] of all) mend(made)
    else {
      const played = await Promise.all(
        all.map(async ([face, { play: ask }]) => [face, withoutOrder(steady(await ask(verb)))] as const),
      )
      heard.push({ verb, outcomes: Object.fromEntries(played) })
    }
  }
  return heard
}

/** As the first of them has it. */
function alike(heard: readonly Heard[]): Heard[] {
  return heard.map(({ verb, outcomes }) => {
    const [first] = Object.values(outcomes)
    return { verb, outcomes: Object.fromEntries(Object.keys(outcomes).map((face) => [face, first])) }
  })
}

const refusals = (heard: readonly Heard[]): string[] =>
  heard.flatMap(({ outcomes }) => (Object.values(outcomes)[0] as { refused?: string }).refused ?? [])

async function threeFaces(make: () => Promise<Project> | Project) {
  const [onCli, onHttp, onLibrary] = await Promise.all([make(), make(), make()])
  return {
    cli: { made: onCli, play: cliPlayer(onCli) },
    http: { made: onHttp, play: await httpPlayer(onHttp, IDEA) },
    library: { made: onLibrary, play: await libraryPlayer(onLibrary, IDEA) },
  }
}

it('a build that waits: command line, HTTP and library', async () => {
  const heard = await play(await threeFaces(waiting), steered)
  expect(heard).toEqual(alike(heard))
  expect(refusals(heard)).toEqual([
    'RALPH_TASK_NOT_FOUND',
    'RALPH_TASK_NOT_FOUND',
    'RALPH_ATTEMPT_NOT_FOUND',
    'RALPH_TASK_NOT_FOUND',
    'RALPH_NOTHING_MERGED',
    'RALPH_BUILD_STATE',
    'RALPH_TASK_NOT_WAITING',
    'RALPH_TASK_NOT_WAITING',
    'RALPH_BUILD_STATE',
    'RALPH_BUILD_STATE',
    'RALPH_BUILD_STATE',
    'RALPH_BUILD_STATE',
  ])
})

/** Each face builds, verifies and publishes, which is three times all checks. */
const WHOLE_MS = 180_000

it('from start to publish: command line, HTTP and library', { timeout: WHOLE_MS }, async () => {
  const faces = await threeFaces(unstarted)
  const heard = await play(faces, whole, (made) => {
    const folder = String(made.json('open', 'wrong')['folder'])
    writeFileSync(join(folder, 'wrong.js'), 'export const wrong = () => 3\n')
  })
  expect(heard).toEqual(alike(heard))
  expect(refusals(heard)).toEqual(['RALPH_TASK_NOT_WAITING'])
  const log = [
    'feat: Add three',
    'revert: Add three',
    'feat: Add three',
    'fix: Manual resolution for Add wrong',
    'start',
  ]
  for (const { made } of Object.values(faces))
    expect(made.git('log', '--format=%s', 'main').trim().split('\n')).toEqual(log)
})

it('a build that is created to be stepped: HTTP and library', async () => {
  const [onHttp, onLibrary] = [
    project({ tasks: 'planned', script: [answers()] }),
    project({ tasks: 'planned', script: [answers()] }),
  ]
  const faces = {
    http: { made: onHttp, play: await httpPlayer(onHttp, IDEA) },
    library: { made: onLibrary, play: await libraryPlayer(onLibrary, IDEA) },
  }
  const heard = await play(faces, created)
  expect(heard).toEqual(alike(heard))
  expect(refusals(heard)).toEqual(['RALPH_INPUT_BAD', 'RALPH_BUILD_UNFINISHED'])
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
