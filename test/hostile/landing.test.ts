// Agents that reach past the engine: into its repository, to put a forged commit on the build branch, and into its
// store, to have a task done without work. The honest work goes on without it, and the operator is told.
import { fileURLToPath } from 'node:url'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openCleanClone, openEngine } from '../../src/compose.ts'
import type { Fact } from '../../src/core/fact/fact.ts'
import { agentId, type TaskId, taskId } from '../../src/core/values/id.ts'
import { warningText } from '../../src/core/attempt/landing.ts'
import { stopSwitch } from '../../src/engine/stop.ts'
import { reportBuild } from '../../src/operations/read/build-report.ts'
import { frozenOf, goOn } from '../../src/operations/builds/builds.ts'
import { placeAt } from '../../src/operations/builds/plain-git.ts'
import { runBuild } from '../../src/operations/builds/run-build.ts'
import { examineShip, ship, type Shipping } from '../../src/operations/ship/ship.ts'
import { proveShip } from '../../src/operations/ship/ship-proof.ts'
import { engineProject, type EngineProjectOptions, type EngineProject } from '../rig/engine-project.ts'

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url))
const NODE = process.execPath
const forging = (task: string, attempt = 1) => ({
  run: `${NODE} ${here('forge-commit-program.ts')} ${task} ${attempt} 1`,
})
const sql = (statement: string) => ({
  run: `${NODE} ${here('sql-program.ts')} "$(dirname "$(dirname "$(head -1 "$(git rev-parse --git-dir)/objects/info/alternates")")")/ralph.db" "${statement}"`,
})
const complete = { signal: { kind: 'TASK_COMPLETE' } }
const writing = (name: string): object[] => [
  { write: { path: `${name}.js`, content: `export const ${name} = () => '${name}'\n` } },
  {
    write: {
      path: `${name}.test.js`,
      content: `import { test } from 'node:test'\nimport assert from 'node:assert/strict'\nimport { ${name} } from './${name}.js'\ntest('${name}', () => assert.equal(${name}(), '${name}'))\n`,
    },
  },
]
const session = (task: string, ...steps: object[]): object => ({ role: 'implementer', task, steps })

async function started(a: object[], more: Partial<EngineProjectOptions> = {}) {
  const engine = await engineProject({
    tasks: [
      { id: 'a', title: 'Make a' },
      { id: 'b', title: 'Make b', deps: ['a'] },
    ],
    script: [session('a', ...writing('a'), ...a, complete), session('b', ...writing('b'), complete)],
    ...more,
  })
  return { engine, build: await engine.start() }
}

async function built(a: object[], more: Partial<EngineProjectOptions> = {}) {
  const { engine, build } = await started(a, more)
  const { reason } = await engine.run(build)
  return { engine, build, reason }
}

const named = (facts: EngineProject['facts'], type: string): unknown[] => facts.filter((fact) => fact.type === type)
const subjects = ({ git }: EngineProject, range: string): string => git('log', '--reverse', '--format=%s', range)

async function gate(made: EngineProject, build: { readonly id: Shipping['build'] }) {
  const { context, folder, env } = made
  const engine = await made.openAgain()
  const allowed = { skipped: 'allowed', unverified: 'allowed' } as const
  const signal = new AbortController().signal
  const shipping: Shipping = {
    ...{ context, engine, build: build.id, user: placeAt(folder, env), base: 'main', allowed, signal },
    openCleanClone: (copy) => openCleanClone(folder, env, copy),
  }
  return { shipping, report: await examineShip(shipping) }
}

describe('a commit that the engine did not make, with its trailers and its note', () => {
  it('is set aside, and the honest work is what is merged and shipped', async () => {
    const { engine, build, reason } = await built([forging('a')])
    expect(reason).toBe('AllTasksComplete')
    expect(subjects(engine, `main..ralph/${build.id}`)).toBe('feat: Make a\nfeat: Make b')
    const [restored] = engine.facts.flatMap((fact) => (fact.type === 'branchRestored' ? [fact] : []))
    const factLines = warningText(restored ?? expect.fail('nobody was told'))
    expect(factLines).toMatch(
      /^a commit that Ralph did not make was found on the build branch \([0-9a-f]{10} 'feat: Forged'\); it was set aside as refs\/ralph\/foreign\//,
    )
    expect(engine.git('show', '--no-patch', '--format=%s', restored?.ref ?? '')).toBe('feat: Forged')
    expect((await reportBuild(engine.context, build.id)).warnings.map(warningText)).toEqual([factLines])
    const { shipping, report } = await gate(engine, build)
    expect(report.reasons).toEqual([])
    await ship(shipping, report, await proveShip(shipping, report))
    expect(engine.git('ls-tree', '--name-only', 'main')).not.toMatch(/forged/)
    expect(engine.git('ls-tree', '--name-only', 'main')).toMatch(/a\.js[^]*b\.js/)
  })

  it('is no harm where it is missing: what was merged is put back', async () => {
    const { engine, build } = await built([])
    const engineRepo = join(engine.folder, '.git/ralph/repo.git')
    const git = (...args: string[]) =>
      execFileSync('git', ['--git-dir', engineRepo, ...args], { env: engine.env, encoding: 'utf8' }).trim()
    const honest = git('rev-parse', `ralph/${build.id}`)
    git('update-ref', `refs/heads/ralph/${build.id}`, git('rev-parse', `${honest}^`))
    const { report } = await gate(engine, build)
    expect(report.reasons.map(({ code }) => code)).toEqual(['landing'])
    expect(report.reasons[0]?.what).toMatch(
      /^the build branch had been moved back to [0-9a-f]{10}; Ralph put it back to/,
    )
    expect(git('rev-parse', `ralph/${build.id}`)).toBe(honest)
    expect((await gate(engine, build)).report.reasons).toEqual([])
  })

  it('is not adopted by who takes up a merge that was cut off', async () => {
    const { engine, build } = await started([])
    const cutOff = (name: string) => {
      if (name === 'begun merge') throw new Error('cut off')
    }
    const dying = { ...(await engine.openAgain()), failpoint: cutOff }
    await dying.workspaces.startBuild(build.id)
    const stops = stopSwitch({ iterations: 9, whenSpent: { reason: 'Failed' }, until: null, now: Date.now })
    const end = await runBuild({ ...engine.context, store: dying.store }, dying, build, stops, [agentId('bbbb')])
    expect(end).toMatchObject({ reason: 'Failed', detail: 'cut off' })
    const workspace = await dying.workspaces.find(build.id, taskId('a'))
    execFileSync(NODE, [here('forge-commit-program.ts'), 'a', '1', '1'], { cwd: workspace?.folder, env: engine.env })
    const failed = (await engine.context.store.builds.find(build.id)) ?? build
    expect(await engine.run(await goOn(engine.context, failed))).toEqual({ reason: 'AllTasksComplete' })
    expect(named(engine.facts, 'branchRestored')).toHaveLength(1)
    expect(subjects(engine, `main..ralph/${build.id}`)).toBe('feat: Make a\nfeat: Make b')
  })

  it('that comes after the build is over stops the gate once, with its name', async () => {
    const { engine, build } = await built([])
    const { folder } = await (await engine.openAgain()).workspaces.acquire(build.id, 'late' as TaskId, null, 'fresh')
    execFileSync(NODE, [here('forge-commit-program.ts'), 'late', '1', '1'], { cwd: folder, env: engine.env })
    const { report } = await gate(engine, build)
    expect(report.reasons.map(({ code, what }) => `${code}: ${what}`)).toEqual([
      expect.stringMatching(/^landing: a commit that Ralph did not make .* 'feat: Forged'/),
    ])
    expect((await gate(engine, build)).report.reasons).toEqual([])
    expect(subjects(engine, `main..ralph/${build.id}`)).toBe('feat: Make a\nfeat: Make b')
  })

  it('leaves a build in the user’s own checkout as it should be', async () => {
    const forge = { run: `${NODE} ${here('forge-commit-program.ts')} a 1 1 "$PWD/.git/ralph/repo.git"` }
    const { engine, build } = await started([forge], { where: 'in-place' })
    engine.git('add', 'ralph.toml')
    engine.git('commit', '-qm', 'settings')
    const frozen = await frozenOf(engine.context, build.id)
    const watcher = { fact: (fact: Fact) => void engine.facts.push(fact), agent: () => {} }
    const inPlace = await openEngine(engine.folder, engine.env, frozen.config, watcher, frozen)
    await inPlace.workspaces.startBuild(build.id)
    const stops = stopSwitch({ iterations: 9, whenSpent: { reason: 'Failed' }, until: null, now: Date.now })
    const { reason } = await runBuild(engine.context, inPlace, build, stops, [agentId('aaaa')])
    expect(reason).toBe('AllTasksComplete')
    expect(named(engine.facts, 'branchRestored')).toHaveLength(1)
    expect(subjects(engine, `main..ralph/${build.id}`)).toBe('feat: Make a\nfeat: Make b')
  })
})

describe('a task that somebody settles in the store', () => {
  it.each([
    ['another task', "UPDATE tasks SET status='done' WHERE id='b'"],
    ['another task, with a result', `UPDATE tasks SET status='done', result='{\\"commit\\":\\"x\\"}' WHERE id='b'`],
    ['another task as skipped', "UPDATE tasks SET status='skipped' WHERE id='b'"],
    ['another task as split', "UPDATE tasks SET status='split' WHERE id='b'"],
  ])('%s: the build does it all the same', async (_, statement) => {
    const { engine, build, reason } = await built([sql(statement)])
    expect(reason).toBe('AllTasksComplete')
    expect(subjects(engine, `main..ralph/${build.id}`)).toBe('feat: Make a\nfeat: Make b')
    expect(named(engine.facts, 'statusRejected')).toMatchObject([{ taskId: 'b' }])
    expect((await reportBuild(engine.context, build.id)).warnings).toHaveLength(1)
    expect((await gate(engine, build)).report.reasons).toEqual([])
  })

  it('its own: that costs it its attempt, and after enough of them a human is asked', async () => {
    const own = sql("UPDATE tasks SET status='done' WHERE id='a'")
    const { engine, reason } = await built([own, { sleep: 20 }], {
      toml: '[checks]\nunit = "npm test"\n[limits]\nattempts = 2\ninterventions = 0\n',
    })
    expect(reason).toBe('HumanNeeded')
    expect(named(engine.facts, 'merged')).toEqual([])
    expect(await engine.context.store.tasks.find(engine.context.scope, taskId('a'))).toMatchObject({
      status: 'waiting',
    })
  })

  it('after the build is over: the gate opens it again, with its name, and nothing lets that pass', async () => {
    const { engine, build } = await built([])
    const db = join(engine.folder, '.git/ralph/ralph.db')
    const forged = `UPDATE attempts SET state=json_set(state, '$.phase.as.commit', '${'d'.repeat(40)}') WHERE task='b'`
    execFileSync(NODE, [here('sql-program.ts'), db, forged])
    const { report } = await gate(engine, build)
    expect(report.reasons.map(({ code, what, clear }) => `${code}: ${what} (${clear})`)).toEqual([
      expect.stringMatching(/^notReady: .* 1 of 2 tasks open/),
      "landing: task 'b' was merged as dddddddddd, which is not on the build branch any more; the build does it again (ralph build)",
    ])
  })
})
