// A project and its engine in the process of the test: real git, a real store and real checks.
import { openEngine } from '../../src/compose.ts'
import { withDetected } from '../../src/config/project/adopt-settings.ts'
import { detectProject } from '../../src/config/project/detect.ts'
import { loadConfig } from '../../src/config/settings/load.ts'
import type { Build } from '../../src/core/builds/build.ts'
import type { Fact } from '../../src/core/fact/fact.ts'
import { agentId, taskId } from '../../src/core/values/id.ts'
import { newTask, type TaskText } from '../../src/core/task/task.ts'
import type { EngineDeps } from '../../src/engine/deps.ts'
import { type Stop, stopSwitch } from '../../src/engine/stop.ts'
import { type BuildContext, startBuild, startUnplanned } from '../../src/operations/builds/builds.ts'
import { runBuild } from '../../src/operations/builds/run-build.ts'
import { withProbes } from './probes-off.ts'
import { type Project, type ProjectOptions, project } from './project.ts'

export interface EngineProject extends Pick<Project, 'folder' | 'env' | 'remove'> {
  readonly context: BuildContext
  readonly facts: Fact[]
  /** What git prints, without the last line end. */
  readonly git: (...args: string[]) => string
  readonly openAgain: () => Promise<EngineDeps>
  readonly start: () => Promise<Build>
  readonly run: (build: Build, iterations?: number) => Promise<Stop>
}

export interface EngineProjectOptions extends Pick<ProjectOptions, 'script' | 'files'> {
  readonly tasks: readonly (Partial<TaskText> & { id: string; title: string; deps?: string[] })[]
  /** Planned first, by a build that has no tasks yet. */
  readonly goal?: string
  /** Follows the tables that name the agent. */
  readonly toml?: string
  readonly where?: 'in-place'
  /** By default they are off. */
  readonly probes?: 'on'
}

const SUM_FILES = {
  'package.json': '{"name":"sum","type":"module","scripts":{"test":"node --test"}}\n',
  'sum.js': 'export const sum = (a, b) => a + b\n',
  'sum.test.js': [
    "import { test } from 'node:test'",
    "import assert from 'node:assert/strict'",
    "import { sum } from './sum.js'",
    "test('sums', () => assert.equal(sum(1, 2), 3))",
    '',
  ].join('\n'),
}

const CHECKS = '[checks]\nunit = "npm test"\n'

export async function engineProject(options: EngineProjectOptions): Promise<EngineProject> {
  const { script = [], tasks, goal, where = 'isolated', toml = CHECKS, files = SUM_FILES } = options
  const agent = toml.includes('agent.command') ? 'command' : 'scripted'
  const agents = `[agents]\ndefault = "${agent}"\n[agent.scripted]\nscenario = "../scenario.json"\n`
  // Shell commands in the scripts of these tests do not quote the path of the root.
  const made = project({
    ...{ script, files, tasks: {}, toml: `${agents}${toml}` },
    isTomlCommitted: false,
    rootName: 'ralph-scenario-',
  })
  const { folder, remove } = made
  const env = options.probes === 'on' ? withProbes(made.env) : made.env
  const facts: Fact[] = []
  const config = withDetected(await loadConfig({ folder, env }), await detectProject(folder))
  const openAgain = () => openEngine(folder, env, config, { fact: (fact) => facts.push(fact), agent: () => {} })
  const engine = await openAgain()
  let ids = 0
  const context: BuildContext = {
    store: engine.store,
    scope: engine.scope,
    now: Date.now,
    unique: () => `test${(ids += 1)}`,
    person: 'ada',
  }
  for (const { id, deps = [], ...text } of tasks)
    await engine.store.tasks.create(engine.scope, newTask(taskId(id), text, deps.map(taskId), Date.now()))
  return {
    folder,
    env,
    remove,
    context,
    facts,
    git: (...args) => made.git(...args).trim(),
    openAgain,
    start: async () => {
      if (goal !== undefined)
        return startUnplanned(context, { config, source: null, where, seed: { from: 'goal', text: goal } })
      const build = await startBuild(context, { config, source: null, where, hash: config.hash })
      if (build === null) throw new Error('nothing to build')
      return build
    },
    run: async (build, iterations = 50) => {
      await engine.workspaces.startBuild(build.id)
      const stops = stopSwitch({
        iterations,
        whenSpent: { reason: 'MaxIterationsReached' },
        until: null,
        now: Date.now,
      })
      return runBuild(context, engine, build, stops, [agentId('aaaa')])
    },
  }
}
