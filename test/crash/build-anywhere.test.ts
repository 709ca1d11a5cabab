// Killed at any moment, not only between effects; and what a killed engine leaves running.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { audit, brokenLaws } from './build-audit.ts'
import { endOf, leftUndisturbed, withProject, UNHARMED } from './build-kills.ts'
import { bundledBuild, leftIn, type Life, killableProject, type KillableProject } from '../rig/build-process.ts'
import { seeded } from '../arbitraries/seeded.ts'

const SEED = Number(process.env['RALPH_TEST_SEED'] ?? Date.now() % 1_000_000)
const KILLS = 12

const program = await bundledBuild()

/** Kills it some time after the first fact that it tells, so that it has begun to work. */
async function killedSomewhere(stage: KillableProject, delayMs: number): Promise<Life> {
  let begun = (): void => {}
  const hasBegun = new Promise<void>((resolve) => (begun = resolve))
  const running = stage.run({}, () => begun())
  await Promise.race([hasBegun, running.life])
  await sleep(delayMs)
  running.kill()
  return running.life
}

it(`kill -9 at ${KILLS} moments of one build: the same end`, async () => {
  const random = seeded(SEED)
  const wanted = await leftUndisturbed(program)
  await withProject(program, async (stage) => {
    let killed = 0
    // Short lives make small steps; each effect takes some 100 ms.
    while (killed < KILLS && (await killedSomewhere(stage, random() * 250)).signal !== null) killed += 1
    const last = await stage.run().life
    const isOver = last.end?.reason === 'AllTasksComplete'
    const found = { ...(isOver ? endOf(last) : { last }), ...(await audit(stage)) }
    expect({ seed: SEED, ...found }).toEqual({ seed: SEED, ...UNHARMED, ...wanted })
    expect(killed).toBeGreaterThan(0)
  })
})

const complete = { signal: { kind: 'TASK_COMPLETE' } }

/** An agent that hangs, ignores SIGTERM, and has left a child in a session of its own. */
async function withHangingAgent(work: (stage: KillableProject, engine: number) => Promise<void>): Promise<void> {
  const stage = await killableProject(program, {
    tasks: [{ id: 'hang', title: 'Task hang' }],
    script: [
      {
        attempt: 1,
        iteration: 1,
        steps: [{ leaveChild: { ignoreSigterm: true } }, { hang: { ignoreSigterm: true } }],
      },
    ],
  })
  const running = stage.run()
  try {
    await until(() => leftIn(stage.folder).length >= 3)
    await work(stage, running.pid)
  } finally {
    running.kill()
    stage.remove()
  }
}

/** The test's own time limit is the bound. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(50)
}

it('nothing outlives an engine that is killed', () =>
  withHangingAgent(async (stage, engine) => {
    process.kill(engine, 'SIGKILL')
    await until(() => leftIn(stage.folder).length === 0)
    expect(leftIn(stage.folder)).toEqual([])
  }))

/** The watch that ends what a killed engine leaves; it carries the marker of its engine as an argument. */
function watchOf(stage: KillableProject): number {
  const text = (pid: string, file: string): string => {
    try {
      return readFileSync(`/proc/${pid}/${file}`, 'latin1')
    } catch {
      return ''
    }
  }
  const markers = leftIn(stage.folder).flatMap((line) => {
    const environment = text(line.split(' ')[0] ?? '', 'environ')
    return /(?:^|\0)RALPH_RUN=([0-9a-f]{32}):/.exec(environment)?.[1] ?? []
  })
  const watch = readdirSync('/proc').find((pid) => {
    const command = /^\d+$/.test(pid) ? text(pid, 'cmdline') : ''
    return command.includes('ralph-watch') && markers.some((marker) => command.includes(marker))
  })
  return Number(watch ?? expect.fail('there is no watch'))
}

it('where the watch was killed too, the next start ends what was left, and goes on', () =>
  withHangingAgent(async (stage, engine) => {
    process.kill(watchOf(stage), 'SIGKILL')
    process.kill(engine, 'SIGKILL')
    await until(() => !leftIn(stage.folder).some((line) => line.startsWith(`${engine} `)))
    const left = leftIn(stage.folder).length
    const sessions = [{ steps: [{ write: { path: 'hang.txt', content: 'good\n' } }, complete] }]
    writeFileSync(join(dirname(stage.folder), 'scenario.json'), JSON.stringify({ sessions }))
    const { end } = await stage.run().life
    const found = await audit(stage)
    expect(left).toBeGreaterThanOrEqual(2)
    expect({ end, brokenLaws: brokenLaws(found), attempts: found.landed.map(({ attempt }) => attempt) }).toEqual({
      end: { reason: 'AllTasksComplete', detail: null },
      brokenLaws: [],
      attempts: ['hang/1/1'],
    })
  }))

/** Each task makes a file of its own and changes a line of its own in a file that all of them share. */
const CROWD = ['a', 'b', 'c', 'd']
const shared = (changed: readonly string[]): string =>
  CROWD.map((id) => `${changed.includes(id) ? id.toUpperCase() : id}\n-\n-\n`).join('')

it('two processes, each killed again and again: everything is merged, once', async () => {
  const random = seeded(SEED)
  const stage = await killableProject(program, {
    tasks: CROWD.map((id) => ({ id, title: `Task ${id}` })),
    script: CROWD.map((id) => ({
      task: id,
      steps: [
        { write: { path: `${id}.txt`, content: 'good\n' } },
        { run: `sed -i s/^${id}$/${id.toUpperCase()}/ shared.md` },
        complete,
      ],
    })),
    files: { 'shared.md': shared([]) },
  })
  const lane = async (): Promise<Life> => {
    for (let lives = 0; lives < 4; lives += 1) {
      const life = await killedSomewhere(stage, random() * 400)
      if (life.signal === null) return life
    }
    return stage.run().life
  }
  const ends = (await Promise.all([lane(), lane()])).map(({ end }) => end?.reason)
  const found = await audit(stage)
  const file = stage.engineGit('show', `ralph/${stage.build.id}:shared.md`)
  const merged = found.landed.map(({ subject }) => subject).toSorted()
  expect({ seed: SEED, state: found.state, broken: brokenLaws(found), merged, file, ends }).toEqual({
    seed: SEED,
    state: 'complete',
    broken: [],
    merged: CROWD.map((id) => `feat: Task ${id}`),
    file: shared(CROWD).trim(),
    ends: ['AllTasksComplete', 'AllTasksComplete'],
  })
  stage.remove()
})
