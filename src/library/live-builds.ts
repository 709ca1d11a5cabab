// Builds that run in this process while it does other things.
import { randomInt } from 'node:crypto'
import { hostname } from 'node:os'
import { openNotifying, openEngine } from '../compose.ts'
import type { Build } from '../core/builds/build.ts'
import type { RecordedFact } from '../core/fact/fact.ts'
import type { BuildId } from '../core/values/id.ts'
import { deregisterAgent, registerAgent } from '../operations/tasks/agents.ts'
import { followFacts } from '../operations/builds/build-facts.ts'
import { reportBuild } from '../operations/read/build-report.ts'
import { type BuildSession, sessionOf } from '../operations/read/build-session.ts'
import { frozenOf } from '../operations/builds/builds.ts'
import { freeDeadLoops } from '../operations/builds/dead-loops.ts'
import { tellNotices } from '../operations/feed/notices.ts'
import { type Parts, withParts } from '../operations/in-process-agents.ts'
import { runBuild, runLimits } from '../operations/builds/run-build.ts'
import type { OpenPlace } from './place.ts'

const TO_THE_END = { mode: 'to-the-end', iterationsMax: null, until: null } as const

export interface LiveBuild {
  /** One object for its whole life, kept as the build is. */
  readonly session: BuildSession
  /** Lets a loop work on it, if none does; where one is about to end, another follows. */
  readonly drive: () => void
  /** When no loop of this process works on it. */
  readonly atRest: () => Promise<void>
  readonly close: () => Promise<void>
}

export interface Listener {
  readonly facts: (session: BuildSession, facts: readonly RecordedFact[]) => Promise<void>
  /** A loop ended. */
  readonly rested: (build: BuildId) => Promise<void>
  /** What went wrong beside the build itself. */
  readonly failed: (error: unknown) => void
}

/** `after`: facts up to this number are known already. */
export async function liveBuild(
  place: OpenPlace,
  parts: Parts,
  build: Build,
  listener: Listener,
  after = 0,
): Promise<LiveBuild> {
  const { context } = place
  const session: BuildSession = sessionOf(await reportBuild(context, build.id))
  const over = new AbortController()
  let wanted = 0
  let working: Promise<void> | null = null

  const refresh = async (): Promise<void> => {
    Object.assign(session, sessionOf(await reportBuild(context, build.id)))
  }
  const following = (async () => {
    for await (const facts of followFacts(context, build.id, after, over.signal)) {
      await refresh()
      await listener.facts(session, facts)
    }
  })().catch(listener.failed)

  const work = async (): Promise<void> => {
    while (wanted > 0 && !over.signal.aborted) {
      wanted = 0
      await run(place, parts, build, over.signal)
      await refresh()
      await listener.rested(build.id)
    }
  }
  return {
    session,
    drive: () => {
      wanted += 1
      working ??= work()
        .catch(listener.failed)
        .finally(() => {
          working = null
        })
    },
    atRest: async () => {
      for (let now = working; now !== null; now = working) await now
    },
    close: async () => {
      over.abort()
      await working
      await following
    },
  }
}

async function run(
  { context, folder, env }: OpenPlace,
  parts: Parts,
  build: Build,
  signal: AbortSignal,
): Promise<void> {
  const frozen = await frozenOf(context, build.id)
  const { config } = frozen
  const opened = await openEngine(folder, env, config, { fact: () => {}, agent: () => {} }, frozen)
  const at = { ...context, store: opened.store }
  const clerk = { store: opened.store, now: context.now, pick: (limit: number) => randomInt(limit) }
  try {
    const engine = withParts(opened, build.id, parts)
    await freeDeadLoops(at, build.id, hostname())
    await engine.workspaces.startBuild(build.id)
    const done = (await at.store.builds.attachments(build.id, 'iteration')).length
    const stops = runLimits(TO_THE_END, done, config.limits.maxIterations, context.now)
    const stop = (): void => stops.demand({ reason: 'UserCancelled' })
    signal.addEventListener('abort', stop, { once: true })
    const worker = await registerAgent(clerk, process.pid, hostname())
    try {
      const whom = await openNotifying(folder, env, config)
      const note = (sentence: string): void => process.emitWarning(sentence)
      const notices = tellNotices(at, { ...whom, build: build.id, note })
      await runBuild(at, engine, build, stops, [worker]).finally(notices.end)
    } finally {
      signal.removeEventListener('abort', stop)
      await deregisterAgent(clerk, worker).catch(() => {})
    }
  } finally {
    opened.store.close()
  }
}
