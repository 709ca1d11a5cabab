// A process with the real engine: for each number it gets, it puts so many tasks into the store and builds them.
import { openEngine } from '../src/compose.ts'
import { loadConfig } from '../src/config/settings/load.ts'
import { agentId, taskId } from '../src/core/values/id.ts'
import { newTask } from '../src/core/task/task.ts'
import type { EngineDeps } from '../src/engine/deps.ts'
import { stopSwitch } from '../src/engine/stop.ts'
import { type BuildContext, startBuild } from '../src/operations/builds/builds.ts'
import { runBuild } from '../src/operations/builds/run-build.ts'
import { childrenCpuMs } from './loop-cpu.ts'
import type { LoopSlice } from './loop-slice.ts'

const WORKER = agentId('a0f1')
const [folder = ''] = process.argv.slice(2)

let builds = 0
let claimedAt = 0
let startMs: number[] = []
let rssBytes: number[] = []

const opened = await openEngine(folder, process.env, await loadConfig({ folder, env: process.env }), {
  fact: (fact) => {
    if (fact.type === 'merged') rssBytes.push(process.memoryUsage.rss())
  },
  agent: () => {},
})
const engine = watched(opened)
const context: BuildContext = {
  store: engine.store,
  scope: engine.scope,
  now: Date.now,
  unique: () => `bench${builds}`,
  person: 'ada',
}

/** A task's start is all between its claim and the moment the agent is called. */
function watched(bare: EngineDeps): EngineDeps {
  const { tasks } = bare.store
  const { implementer } = bare.agents
  return {
    ...bare,
    store: {
      ...bare.store,
      tasks: {
        ...tasks,
        claim: (...args) => {
          claimedAt = performance.now()
          return tasks.claim(...args)
        },
      },
    },
    agents: {
      ...bare.agents,
      implementer: {
        ...implementer,
        run: (session) => {
          startMs.push(performance.now() - claimedAt)
          return implementer.run(session)
        },
      },
    },
  }
}

async function slice(tasks: number): Promise<LoopSlice> {
  builds += 1
  startMs = []
  rssBytes = []
  for (let number = 1; number <= tasks; number += 1) {
    const task = newTask(
      taskId(`b${builds}-t${number}`),
      { title: `Line ${number} of build ${builds}` },
      [],
      Date.now(),
    )
    await engine.store.tasks.create(engine.scope, task)
  }
  const begunAt = performance.now()
  const build = await startBuild(context, { config: engine.config, source: null })
  if (build === null) throw new Error('there is nothing to build')
  await engine.workspaces.startBuild(build.id)
  const beginMs = performance.now() - begunAt

  const stops = stopSwitch({
    iterations: tasks,
    whenSpent: { reason: 'MaxIterationsReached' },
    until: null,
    now: Date.now,
  })
  const cpuBefore = process.cpuUsage()
  const childrenBefore = childrenCpuMs()
  const startedAt = performance.now()
  const stop = await runBuild(context, engine, build, stops, [WORKER])
  const wallMs = performance.now() - startedAt
  const { user, system } = process.cpuUsage(cpuBefore)
  const children = childrenCpuMs()
  if (stop.reason !== 'AllTasksComplete') throw new Error(`the build ended as ${stop.reason}: ${stop.detail ?? ''}`)
  const cpuMs = children === null || childrenBefore === null ? null : (user + system) / 1000 + children - childrenBefore
  return { build: build.id, beginMs, wallMs, cpuMs, startMs, rssBytes }
}

process.on('message', (tasks: number) => {
  void slice(tasks).then((made) => process.send?.(made))
})
process.send?.('ready')
