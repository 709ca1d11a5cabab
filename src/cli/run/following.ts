// Reports the facts of a build while other work goes on.
import type { Build } from '../../core/builds/build.ts'
import { factsOf, followFacts } from '../../operations/builds/build-facts.ts'
import { reportBuild } from '../../operations/read/build-report.ts'
import type { BuildContext } from '../../operations/builds/builds.ts'
import { note, type Reporter } from './reporter.ts'

export interface Following {
  /** Resolves when every fact recorded so far is reported. */
  readonly end: () => Promise<void>
}

export async function following(
  context: BuildContext,
  build: Build,
  reporter: Reporter,
  from: 'from-the-start' | 'from-now',
): Promise<Following> {
  const seq = from === 'from-now' ? await tellPast(context, build, reporter) : 0
  const over = new AbortController()
  const telling = (async () => {
    for await (const facts of followFacts(context, build.id, seq, over.signal)) reporter.facts(facts)
  })().catch((error: unknown) => {
    // The terminal is gone, or the disk behind stdout is full. The build goes on without its report.
    note(`Note: the story cannot be told any more (${error instanceof Error ? error.message : String(error)}).`)
  })
  return {
    end: async () => {
      over.abort()
      await telling
    },
  }
}

/** The last number. */
export async function tellPast(
  context: BuildContext,
  build: Build,
  reporter: Pick<Reporter, 'past' | 'showHeld'>,
): Promise<number> {
  let seq = 0
  for await (const facts of factsOf(context, build.id, 0)) {
    reporter.past(facts)
    seq = facts.at(-1)?.seq ?? seq
  }
  reporter.showHeld?.(await reportBuild(context, build.id))
  return seq
}
