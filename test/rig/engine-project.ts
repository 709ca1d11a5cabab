// A real repository with a real test suite, a real store and real git, built by the scripted agent.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
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

export interface Workshop {
  readonly folder: string
  readonly env: Record<string, string>
  readonly context: BuildContext
  readonly facts: Fact[]
  readonly git: (...args: string[]) => string
  readonly openAgain: () => Promise<EngineDeps>
  readonly start: () => Promise<Build>
  readonly run: (build: Build, iterations?: number) => Promise<Stop>
}

export interface Story {
  /** Steps by `task`, or with a role, attempt or iteration. */
  readonly parts: readonly object[]
  /** What is planned first, where the tasks are not there yet. */
  readonly goal?: string
  readonly tasks: readonly (Partial<TaskText> & { id: string; title: string; deps?: string[] })[]
  readonly toml?: string
  readonly files?: Readonly<Record<string, string>>
  readonly where?: 'in-place'
}

const PROJECT = {
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

export async function openWorkshop(story: Story): Promise<Workshop> {
  const root = mkdtempSync(join(tmpdir(), 'ralph-scenario-'))
  const folder = join(root, 'project')
  const env = { PATH: process.env['PATH'] ?? '', HOME: join(root, 'home'), GIT_CONFIG_NOSYSTEM: '1' }
  const write = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  mkdirSync(env.HOME, { recursive: true })
  for (const [path, text] of Object.entries(story.files ?? PROJECT)) write(join(folder, path), text)
  write(join(root, 'scenario.json'), JSON.stringify({ sessions: story.parts }))
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, env, encoding: 'utf8' }).trim()
  mkdirSync(folder, { recursive: true })
  git('init', '-q', '-b', 'main')
  git('config', 'user.name', 'Ada')
  git('config', 'user.email', 'ada@example.com')
  git('add', '-A')
  git('commit', '-qm', 'start', '--allow-empty')
  write(
    join(folder, 'ralph.toml'),
    `[agents]\ndefault = "${story.toml?.includes('agent.command') ? 'command' : 'scripted'}"\n[agent.scripted]\nscenario = "${root}/scenario.json"\n${story.toml ?? '[checks]\nunit = "npm test"\n'}`,
  )

  const facts: Fact[] = []
  const config = withDetected(await loadConfig({ folder, env }), await detectProject(folder))
  const openAgain = () => openEngine(folder, env, config, { fact: (fact) => facts.push(fact), agent: () => {} })
  const engine = await openAgain()
  let made = 0
  const context: BuildContext = {
    store: engine.store,
    scope: engine.scope,
    now: Date.now,
    unique: () => `test${(made += 1)}`,
    person: 'ada',
  }
  for (const { id, deps = [], ...text } of story.tasks)
    await engine.store.tasks.create(engine.scope, newTask(taskId(id), text, deps.map(taskId), Date.now()))
  return {
    folder,
    env,
    context,
    facts,
    git,
    openAgain,
    start: async () => {
      const where = story.where ?? 'isolated'
      if (story.goal !== undefined)
        return startUnplanned(context, { config, source: null, where, seed: { from: 'goal', text: story.goal } })
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
