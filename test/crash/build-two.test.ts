// Two processes build one plan in one repository. The first is held back until the second has merged.
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { audit, brokenLaws } from './build-audit.ts'
import { bundledBuild, type Life, killableProject, type KillableProject } from '../rig/build-process.ts'

const program = await bundledBuild()

const LINES = ['first', 'second', 'third', 'fourth', 'fifth']
const complete = { signal: { kind: 'TASK_COMPLETE' } }
/** The steps of a session do not know where the scenario lies; its folder is `<root>/home/.cache/ralph/…`. */
const untilLet = { run: 'while [ ! -e "$(pwd | sed s:/home/.cache/.*::)/go" ]; do sleep 0.05; done' }

function list(changes: Readonly<Record<string, string>>): string {
  return LINES.map((line) => `${changes[line] ?? line}\n`).join('')
}

const write = (path: string, content: string) => ({ write: { path, content } })

interface Race {
  readonly slow: readonly object[]
  readonly fast: readonly object[]
  /** The steps of the slow one's second attempt. */
  readonly again?: readonly object[]
  readonly env?: Readonly<Record<string, string>>
  readonly files?: Readonly<Record<string, string>>
}

/** Both ends, and the stage to look at. */
async function raced(race: Race): Promise<{ readonly stage: KillableProject; readonly lives: readonly [Life, Life] }> {
  const stage = await killableProject(program, {
    tasks: ['slow', 'fast'].map((id) => ({ id, title: `Task ${id}` })),
    script: [
      { task: 'slow', attempt: 1, steps: [untilLet, ...race.slow, complete] },
      { task: 'slow', attempt: 2, steps: [...(race.again ?? []), complete] },
      { task: 'fast', steps: [...race.fast, complete] },
    ],
    files: { 'list.md': list({}), ...race.files },
  })
  const second: { life: Promise<Life> | null } = { life: null }
  const first = stage.run(race.env ?? {}, (fact) => {
    if (fact.type !== 'iterationStarted' || fact.taskId !== 'slow' || second.life !== null) return
    second.life = stage.run({}, (said) => {
      if (said.type === 'merged') writeFileSync(join(dirname(stage.folder), 'go'), '')
    }).life
  }).life
  const one = await first
  if (second.life === null) throw new Error(`the first never started: ${JSON.stringify(one)}`)
  return { stage, lives: [one, await second.life] }
}

const complete2 = [
  { reason: 'AllTasksComplete', detail: null },
  { reason: 'AllTasksComplete', detail: null },
]

async function ended({ stage, lives }: Awaited<ReturnType<typeof raced>>) {
  const found = await audit(stage)
  const file = (path: string): string => stage.engineGit('show', `ralph/${stage.build.id}:${path}`)
  return {
    ends: lives.map(({ end }) => end),
    broken: brokenLaws(found),
    attempts: found.landed.map(({ attempt }) => attempt),
    state: found.state,
    list: file('list.md'),
  }
}

const refusals = (life: Life): string[] =>
  life.facts.flatMap((fact) => (fact.type === 'mergeRefused' ? [fact.error] : []))

it('work on different tasks, and what touches neighbouring lines is merged, verified and landed', async () => {
  const race = await raced({
    slow: [write('list.md', list({ second: 'SLOW' })), write('slow.txt', 'good\n')],
    fast: [write('list.md', list({ fourth: 'FAST' })), write('fast.txt', 'good\n')],
  })
  expect([await ended(race), refusals(race.lives[0])]).toEqual([
    {
      ends: complete2,
      broken: [],
      attempts: ['fast/1/1', 'slow/1/1'],
      state: 'complete',
      list: list({ second: 'SLOW', fourth: 'FAST' }).trim(),
    },
    [],
  ])
  race.stage.remove()
})

it('a conflict is told to the next attempt, which resolves it', async () => {
  const race = await raced({
    slow: [write('list.md', list({ third: 'SLOW' }))],
    fast: [write('list.md', list({ third: 'FAST' }))],
    again: [{ run: 'cp list.md seen.md' }, write('list.md', list({ third: 'BOTH' }))],
  })
  const found = await ended(race)
  expect([found, refusals(race.lives[0])]).toEqual([
    {
      ends: complete2,
      broken: [],
      attempts: ['fast/1/1', 'slow/2/1'],
      state: 'complete',
      list: list({ third: 'BOTH' }).trim(),
    },
    ['it conflicts with what was merged meanwhile in list.md; resolve the conflict markers'],
  ])
  const seen = race.stage.engineGit('show', `ralph/${race.stage.build.id}:seen.md`)
  expect(seen).toMatch(/^first\nsecond\n<<<<<<< .*\nFAST\n=======\nSLOW\n>>>>>>> .*\nfourth\nfifth$/)
  race.stage.remove()
})

/** Green alone, red together. */
const RIVALS = {
  'check.sh':
    '[ -e slow.flag ] && [ -e fast.flag ] && { echo "not ok 1 - one flag"; exit 1; }; echo "ok 1"; echo "1..1"\n',
}

it('what merges cleanly and is red then is not landed', async () => {
  const race = await raced({
    slow: [write('slow.flag', '')],
    fast: [write('fast.flag', '')],
    again: [{ delete: 'fast.flag' }],
    files: RIVALS,
  })
  expect([await ended(race), refusals(race.lives[0])]).toEqual([
    {
      ends: complete2,
      broken: [],
      attempts: ['fast/1/1', 'slow/2/1'],
      state: 'complete',
      list: list({}).trim(),
    },
    [expect.stringMatching(/^after merging with what came meanwhile: unit failed/)],
  ])
  race.stage.remove()
})

it('a kill between the landing of a merged tree and its record loses neither the commit nor its evidence', async () => {
  // Boundaries: three each of iterate, verify and review, then merge begun and performed.
  const race = await raced({
    slow: [write('list.md', list({ second: 'SLOW' }))],
    fast: [write('list.md', list({ fourth: 'FAST' }))],
    env: { RALPH_FAILPOINT: '11' },
  })
  const last = await race.stage.run().life
  const found = await ended(race)
  expect({ ...found, ends: [...found.ends, last.end] }).toEqual({
    ends: [null, expect.anything(), { reason: 'AllTasksComplete', detail: null }],
    broken: [],
    attempts: ['fast/1/1', 'slow/1/1'],
    state: 'complete',
    list: list({ second: 'SLOW', fourth: 'FAST' }).trim(),
  })
  race.stage.remove()
})

// Begun, refused, recorded; then the next attempt begun and performed.
it.each([10, 11, 12, 13, 14])('a kill around a refused merge (boundary %i) loses neither side', async (failpoint) => {
  const race = await raced({
    slow: [write('list.md', list({ third: 'SLOW' }))],
    fast: [write('list.md', list({ third: 'FAST' }))],
    again: [{ run: 'cp list.md seen.md' }, write('list.md', list({ third: 'BOTH' }))],
    env: { RALPH_FAILPOINT: String(failpoint) },
  })
  const found = await ended(race)
  expect(found).toEqual({
    ends: [null, { reason: 'AllTasksComplete', detail: null }],
    broken: [],
    attempts: ['fast/1/1', 'slow/2/1'],
    state: 'complete',
    list: list({ third: 'BOTH' }).trim(),
  })
  const seen = race.stage.engineGit('show', `ralph/${race.stage.build.id}:seen.md`)
  // The next session finds the files that the killed agent had written.
  expect(seen).toMatch(failpoint === 14 ? /BOTH/ : /\nFAST\n=======\nSLOW\n/)
  race.stage.remove()
})
