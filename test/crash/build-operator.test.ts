// A person steers a build from another process than the one that runs it.
import { existsSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { Fact } from '../../src/core/fact/fact.ts'
import { agentId, taskId } from '../../src/core/values/id.ts'
import { releaseTask } from '../../src/core/task/task.ts'
import { moveBuild } from '../../src/operations/builds/builds.ts'
import {
  answerTask,
  findWaiting,
  type Fix,
  resolveTask,
  retryTask,
  skipTask,
} from '../../src/operations/builds/escalations.ts'
import { factLines } from '../hostile/output-lines.ts'
import { audit, brokenLaws } from './build-audit.ts'
import { bundledBuild, leftIn, killableProject, type KillableProject } from '../rig/build-process.ts'

const program = await bundledBuild()

const good = { write: { path: 'evil.txt', content: 'good\n' } }
const complete = { signal: { kind: 'TASK_COMPLETE' } }
const DONE = { reason: 'AllTasksComplete', detail: null }
const ready = { run: 'touch "$(pwd | sed s:/home/.cache/.*::)/ready"' }
const untilLet = { run: 'while [ ! -e "$(pwd | sed s:/home/.cache/.*::)/go" ]; do sleep 0.05; done' }

async function withProject<T>(
  script: readonly object[],
  work: (stage: KillableProject) => Promise<T>,
  more: { readonly files?: Readonly<Record<string, string>> } = {},
): Promise<T> {
  const stage = await killableProject(program, {
    ...more,
    tasks: ['evil', 'next'].map((id) => ({ id, title: `Task ${id}` })),
    script: [
      ...script.map((part) => ({ task: 'evil', role: 'implementer', ...part })),
      { task: 'next', steps: [{ write: { path: 'next.txt', content: 'good\n' } }, complete] },
    ],
  })
  try {
    return await work(stage)
  } finally {
    stage.remove()
  }
}

/** Runs the build, and speaks once the agent of the task is at work. */
async function spokenTo(stage: KillableProject, speak: () => Promise<unknown>) {
  const running = stage.run()
  const life = { over: false }
  const ended = running.life.finally(() => (life.over = true))
  while (!life.over && !existsSync(join(dirname(stage.folder), 'ready'))) await sleep(20)
  await speak()
  return ended
}

const letGo = (stage: KillableProject) => writeFileSync(join(dirname(stage.folder), 'go'), '')

async function factsOf({ context, build }: KillableProject): Promise<Fact[]> {
  return (await context.store.builds.facts(build.id, 0, 10_000)).map(({ fact }) => fact)
}

it('a pause is obeyed at the end of what runs, and resume goes on from there', () =>
  withProject([{ steps: [ready, untilLet, good, complete] }], async (stage) => {
    const { end } = await spokenTo(stage, async () => {
      await moveBuild(stage.context, 'pause')
      letGo(stage)
    })
    const task = await stage.context.store.tasks.find(stage.context.scope, taskId('evil'))
    expect({
      reason: end?.reason,
      factLines: (await factsOf(stage)).flatMap(factLines),
      status: task?.status,
      processesLeft: leftIn(stage.folder),
    }).toEqual({ reason: 'Paused', factLines: ['1/1 TASK_COMPLETE'], status: 'open', processesLeft: [] })
    const again = await stage.run().life
    const found = await audit(stage)
    expect({
      end: again.end,
      brokenLaws: brokenLaws(found),
      attempts: found.landed.map(({ attempt }) => attempt),
    }).toEqual({ end: DONE, brokenLaws: [], attempts: ['evil/1/1', 'next/1/1'] })
  }))

it('an abort ends the agent at once, with all that it started', () =>
  withProject(
    [{ steps: [good, { leaveChild: { ignoreSigterm: true } }, ready, { hang: { ignoreSigterm: true } }] }],
    async (stage) => {
      const { end } = await spokenTo(stage, () => moveBuild(stage.context, 'abort'))
      const found = await audit(stage)
      expect({
        reason: end?.reason,
        factLines: (await factsOf(stage)).flatMap(factLines),
        brokenLaws: brokenLaws(found),
        state: found.state,
        tasks: found.tasks,
      }).toEqual({
        reason: 'Aborted',
        factLines: ['interrupted'],
        brokenLaws: [],
        state: 'aborted',
        tasks: ['evil open null 0', 'next open null 0'],
      })
    },
  ))

it('an abort while checks run is no verdict', () =>
  withProject(
    [{ steps: [good, complete] }],
    async (stage) => {
      const { end } = await spokenTo(stage, () => moveBuild(stage.context, 'abort'))
      const found = await audit(stage)
      expect({ reason: end?.reason, brokenLaws: brokenLaws(found), tasks: found.tasks }).toEqual({
        reason: 'Aborted',
        brokenLaws: [],
        tasks: ['evil open null 0', 'next open null 0'],
      })
      expect((await factsOf(stage)).flatMap(factLines).filter((line) => line !== 'interrupted')).toEqual([
        '1/1 TASK_COMPLETE',
      ])
    },
    {
      files: {
        'check.sh':
          '[ -e evil.txt ] && { touch "$(pwd | sed s:/home/.cache/.*::)/ready"; sleep 1000; }; echo "ok 1 - rest"; echo "1..1"',
      },
    },
  ))

it('a pause while a limit is waited out need not wait for its end', () =>
  withProject(
    [{ steps: [ready, { fail: { kind: 'rateLimit', sentence: 'too many requests', untilInSeconds: 3600 } }] }],
    async (stage) => {
      const { end } = await spokenTo(stage, async () => {
        for (let isLimited = false; !isLimited; await sleep(50))
          isLimited = (await factsOf(stage)).some(({ type }) => type === 'waiting')
        await moveBuild(stage.context, 'pause')
      })
      const attempt = (await stage.context.store.builds.attempts(stage.build.id)).get(taskId('evil'))
      expect({ reason: end?.reason, phase: attempt?.phase.at, failures: attempt?.failures }).toEqual({
        reason: 'Paused',
        phase: 'limited',
        failures: 0,
      })
    },
  ))

it('a task that is skipped while its agent works is let go at once, and the others go on', () =>
  withProject([{ steps: [good, ready, { hang: {} }] }], async (stage) => {
    const { end } = await spokenTo(stage, () => skipTask(stage.context, taskId('evil')))
    const found = await audit(stage)
    expect({
      end,
      brokenLaws: brokenLaws(found),
      attempts: found.landed.map(({ attempt }) => attempt),
      tasks: found.tasks,
      state: found.state,
    }).toEqual({
      end: DONE,
      brokenLaws: [],
      attempts: ['next/1/1'],
      tasks: ['evil skipped null 0', 'next done null 0'],
      state: 'complete',
    })
    const after = await factsOf(stage)
    expect(after.filter((fact) => fact.type === 'iterationDone' && fact.taskId === 'evil')).toEqual([])
  }))

it('a task that is skipped while its checks run is let go at once, and the others go on', () =>
  withProject(
    [{ steps: [good, complete] }],
    async (stage) => {
      const { end } = await spokenTo(stage, () => skipTask(stage.context, taskId('evil')))
      const found = await audit(stage)
      expect({
        end,
        brokenLaws: brokenLaws(found),
        attempts: found.landed.map(({ attempt }) => attempt),
        tasks: found.tasks,
      }).toEqual({
        end: DONE,
        brokenLaws: [],
        attempts: ['next/1/1'],
        tasks: ['evil skipped null 0', 'next done null 0'],
      })
      const { workspaces } = await stage.openAgain()
      expect(await workspaces.find(stage.build.id, taskId('evil'))).toBe(null)
    },
    {
      files: {
        'check.sh':
          '[ -e evil.txt ] && { touch "$(pwd | sed s:/home/.cache/.*::)/ready"; sleep 1000; }; echo "ok 1 - rest"; echo "1..1"',
      },
    },
  ))

it('who lost the lease writes nothing', () =>
  withProject([{ steps: [good, ready, untilLet, complete] }], async (stage) => {
    const { store, scope } = stage.context
    const evil = taskId('evil')
    const { end } = await spokenTo(stage, async () => {
      const taken = await store.tasks.change(scope, evil, (task, now) => ({
        ...task,
        assignee: agentId('ffff'),
        fence: task.fence + 1,
        leaseExpiresAt: now + 60_000,
      }))
      letGo(stage)
      // The other task is merged by the loop that lost this one.
      for (let isNextDone = false; !isNextDone; await sleep(50))
        isNextDone = (await store.tasks.find(scope, taskId('next')))?.status === 'done'
      expect(await store.tasks.find(scope, evil)).toEqual(taken)
      expect((await factsOf(stage)).flatMap(factLines)).toEqual([])
      await store.tasks.change(scope, evil, (task, now) => ({ ...releaseTask(task, now), status: 'open' }))
    })
    const found = await audit(stage)
    expect({
      end,
      brokenLaws: brokenLaws(found),
      attempts: found.landed.map(({ attempt }) => attempt),
      iterations: found.iterations,
    }).toEqual({
      end: DONE,
      brokenLaws: [],
      attempts: ['next/1/1', 'evil/1/1'],
      iterations: ['next/1/1 null', 'evil/1/1 null'],
    })
  }))

/** The agent gives up and SIA has nothing to say: a human is asked. */
const HELPLESS = [
  { attempt: 1, steps: [{ signal: { kind: 'TASK_STUCK', reason: 'which colour?' } }] },
  { role: 'sia', steps: [{ answer: { type: 'escalate', reason: 'which colour?' } }] },
]
const NEEDED = { reason: 'HumanNeeded', detail: null }

it.each([
  ['retried', (stage: KillableProject) => retryTask(stage.context), null],
  ['answered', (stage: KillableProject) => answerTask(stage.context, 'the colour is green'), 'the colour is green'],
] as const)('a task that is %s is tried again', (_, speak, words) =>
  withProject([...HELPLESS, { steps: [{ savePrompt: 'prompt.log' }, good, complete] }], async (stage) => {
    const first = await stage.run().life
    await speak(stage)
    const last = await stage.run().life
    const found = await audit(stage)
    expect({
      firstEnd: first.end,
      lastEnd: last.end,
      brokenLaws: brokenLaws(found),
      attempts: found.landed.map(({ attempt }) => attempt),
    }).toEqual({ firstEnd: NEEDED, lastEnd: DONE, brokenLaws: [], attempts: ['next/1/1', 'evil/2/1'] })
    const prompt = stage.engineGit('show', `ralph/${stage.build.id}:prompt.log`)
    expect(prompt.includes('the colour is green')).toBe(words !== null)
  }),
)

it('a task that is skipped while it waits is left out', () =>
  withProject(HELPLESS, async (stage) => {
    const first = await stage.run().life
    await skipTask(stage.context)
    const last = await stage.run().life
    const { landed, tasks, state } = await audit(stage)
    expect({
      firstEnd: first.end,
      lastEnd: last.end,
      attempts: landed.map(({ attempt }) => attempt),
      tasks,
      state,
    }).toEqual({
      firstEnd: NEEDED,
      lastEnd: DONE,
      attempts: ['next/1/1'],
      tasks: ['evil skipped null 0', 'next done null 0'],
      state: 'complete',
    })
  }))

async function resolve(stage: KillableProject, content: string, accepted: Fix['accepted']): Promise<void> {
  const { workspaces } = await stage.openAgain()
  const waiting = await findWaiting(stage.context)
  const folder = (await workspaces.find(stage.build.id, waiting.attempt.task))?.folder ?? expect.fail('no folder')
  writeFileSync(join(folder, 'evil.txt'), content)
  await resolveTask(stage.context, workspaces, { text: 'Green it is.', from: null, accepted }, waiting)
}

it("a person's fix is verified and merged as theirs; a red one asks again", () =>
  withProject(HELPLESS, async (stage) => {
    await stage.run().life
    await resolve(stage, 'bad\n', 'if-verified')
    const red = await stage.run().life
    await resolve(stage, 'good\n', 'if-verified')
    const green = await stage.run().life
    const found = await audit(stage)
    expect({ end: red.end, factLines: red.facts.flatMap(factLines) }).toEqual({
      end: NEEDED,
      factLines: ['verified red', expect.stringMatching(/^human: unit failed/)],
    })
    expect({ end: green.end, factLines: green.facts.flatMap(factLines), brokenLaws: brokenLaws(found) }).toEqual({
      end: DONE,
      factLines: ['verified green', 'merged'],
      brokenLaws: [],
    })
    expect(stage.engineGit('log', '-1', '--format=%B', `ralph/${stage.build.id}`)).toMatch(
      /^fix: Manual resolution for Task evil\n\nGreen it is\.\n\nTask ID: evil\n/,
    )
  }))

it("a person's fix that is accepted unverified says so for ever", () =>
  withProject(HELPLESS, async (stage) => {
    await stage.run().life
    await resolve(stage, 'bad\n', 'unverified')
    const { end } = await stage.run().life
    const { landed } = await audit(stage)
    expect([end, landed.at(-1)]).toEqual([
      DONE,
      {
        subject: 'fix: Manual resolution for Task evil',
        attempt: expect.stringMatching(/^evil\//),
        tree: landed.at(-1)?.noted,
        noted: landed.at(-1)?.tree,
        proved: 'none',
        recorded: '{"by":"person","person":"ada"}',
      },
    ])
    expect(stage.engineGit('log', '-1', '--format=%B', `ralph/${stage.build.id}`)).toMatch(/\nRalph-Evidence: none$/)
  }))
