// Watches the user's checkout. Without a sandbox an agent could leave its folder and write there, and a person may work
// there too. Nobody can tell the two apart, so the engine reports each change and stops nothing.
import { checkoutChanged } from '../core/builds/checkout-changed.ts'
import type { Fact } from '../core/fact/fact.ts'
import type { BuildId } from '../core/values/id.ts'
import type { EngineDeps } from './deps.ts'

/**
 * Looking takes 6 ms in a small repository and 85 ms at 50,000 files, less than `git status`: at most 1 % of the time.
 */
const LOOK_EVERY_MS = 10_000

/** Runs `work` with an engine that looks at the checkout after agent sessions, and once more at the end. */
export async function watchingCheckout<T>(
  engine: EngineDeps,
  build: BuildId,
  work: (engine: EngineDeps) => Promise<T>,
): Promise<T> {
  const known = new Set<string>()
  let lookedAt = engine.now()
  let looking = look()

  async function look(): Promise<void> {
    // An unreadable checkout or a missing store must not cost an agent its work.
    const changes = await engine.workspaces.checkoutChanges(engine.progress?.ours ?? []).catch(() => null)
    const fact = changes === null ? null : checkoutChanged(changes, known)
    if (fact === null) return
    await engine.store.builds.note(build, fact).catch(() => {})
    engine.watcher.fact(fact)
  }

  const onFact = (fact: Fact): void => {
    engine.watcher.fact(fact)
    if (fact.type !== 'iterationDone' || engine.now() - lookedAt < LOOK_EVERY_MS) return
    lookedAt = engine.now()
    looking = looking.then(look)
  }
  try {
    return await work({ ...engine, watcher: { ...engine.watcher, fact: onFact } })
  } finally {
    await looking.then(look)
  }
}
