// Decides, performs, folds and records. The next effect always follows from the saved attempt: after a crash the core
// asks for the same effect again, so every effect must be safe to repeat.
import { type Attempt, type Effect, next } from '../core/attempt/attempt.ts'
import { intents } from '../core/attempt/attempt-facts.ts'
import type { BeginResult, Lease } from '../store/store.ts'
import { openMeter } from './session/meter.ts'
import { perform } from './perform.ts'
import type { Loop } from './deps.ts'
import type { Stop, StopSwitch } from './stop.ts'

export interface LeasedAttempt {
  readonly lease: Lease
  readonly attempt: Attempt
  readonly stops: StopSwitch
  readonly lost: AbortSignal
}

export type AttemptEnd =
  | { readonly why: 'rested'; readonly attempt: Attempt }
  | { readonly why: 'leaseLost' }
  | { readonly why: 'stopped'; readonly stop: Stop }

/** Runs a claimed task until it rests: settled, or waiting for a human. */
export async function runAttempt(loop: Loop, held: LeasedAttempt): Promise<AttemptEnd> {
  try {
    return await runEffects(loop, held)
  } catch (error) {
    // Checks that are stopped because the task was taken away throw; that is no fault of the loop.
    if (held.lost.aborted) return { why: 'leaseLost' }
    throw error
  }
}

async function runEffects(loop: Loop, held: LeasedAttempt): Promise<AttemptEnd> {
  const { store, failpoint, watcher, progress } = loop.engine
  const { lease, stops } = held
  const working = AbortSignal.any([stops.signal, held.lost])
  const waiting = AbortSignal.any([stops.asking, held.lost])
  let { attempt } = held
  let ahead: BeginResult | undefined
  for (let effect = next(attempt); effect !== null; effect = next(attempt)) {
    const said = effect.do === 'iterate' ? await progress?.refresh() : null
    const stop = stops.asked() ?? said ?? (effect.do === 'iterate' ? stops.atIteration() : null)
    // An effect that began with the last record is under way: the loop stops after it.
    if (stop !== null && ahead === undefined) return { why: 'stopped', stop }

    const begun = ahead ?? (await store.builds.begin(lease, attempt, effect))
    if (!begun.kept) return { why: 'leaseLost' }
    // The task as it is now: SIA may have rewritten it, or a person edited it.
    const { task } = begun
    for (const intent of intents(attempt, effect)) watcher.fact(intent)
    failpoint(`begun ${effect.do}`)

    const signal = effect.do === 'wait' ? waiting : working
    const meter = openMeter()
    const performed = await perform(effect, { ...loop, task, attempt, begun, signal, meter, atWait: stops.atWait })
    const { attachments, stop: fatal } = performed
    const spent = meter.total()
    const fact = spent === null ? performed.fact : { ...performed.fact, spent }
    failpoint(`performed ${effect.do}`)

    const goesOn = ({ do: upNext }: Effect): boolean =>
      upNext !== 'iterate' && fatal === undefined && stops.asked() === null
    const recorded = await store.builds.record(lease, attempt.build, fact, attachments ?? [], goesOn)
    if (!recorded.kept) return { why: 'leaseLost' }
    failpoint(`recorded ${effect.do}`)
    for (const told of recorded.facts) watcher.fact(told)
    attempt = recorded.attempt
    ahead = recorded.begun
    if (effect.do === 'iterate' && fact.type !== 'iterationDone') stops.uncount()
    if (fatal !== undefined) {
      // What stops this loop would also stop every other loop of this process, only later.
      stops.ask(fatal)
      return { why: 'stopped', stop: fatal }
    }
  }
  return { why: 'rested', attempt }
}
