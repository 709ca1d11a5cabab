// Runs a build as `ralph build` does: `node build-program.js FOLDER` prints its facts and its end as JSON on stdout.
import { randomInt } from 'node:crypto'
import { hostname } from 'node:os'
import { openStoreContext, openEngine } from '../../src/compose.ts'
import type { Fact } from '../../src/core/fact/fact.ts'
import { deregisterAgent, registerAgent } from '../../src/operations/tasks/agents.ts'
import { type BuildContext, findBuild, frozenOf, goOn } from '../../src/operations/builds/builds.ts'
import { freeDeadLoops } from '../../src/engine/recover.ts'
import { runBuild, runLimits } from '../../src/operations/builds/run-build.ts'

const [folder = '.'] = process.argv.slice(2)
const { store, scope } = await openStoreContext(folder, process.env)
const context: BuildContext = { store, scope, now: Date.now, unique: () => 'unused', person: 'ada' }
const found = await findBuild(context)
const frozen = await frozenOf(context, found.id)
const watcher = { fact: (fact: Fact) => process.stdout.write(`${JSON.stringify(fact)}\n`), agent: () => {} }
const engine = await openEngine(folder, process.env, frozen.config, watcher, frozen)
// A build that was killed after its last write has nothing left to do.
const build = found.state === 'complete' ? found : await goOn(context, found)
await engine.workspaces.startBuild(build.id)
await freeDeadLoops(engine, build.id)
const stops = runLimits({ mode: 'to-the-end', iterationsMax: 100, until: null }, 0, 100, Date.now)
const announcing = { store, now: Date.now, pick: (limit: number) => randomInt(limit) }
const worker = await registerAgent(announcing, process.pid, hostname())
const { reason, detail = null } = await runBuild(context, engine, build, stops, [worker])
await deregisterAgent(announcing, worker)
await engine.workspaces.mirror(build.id)
process.stdout.write(`${JSON.stringify({ reason, detail })}\n`)
