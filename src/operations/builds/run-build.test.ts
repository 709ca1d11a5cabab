import { describe, expect, it } from 'vitest'
import { type RunLimits, runLimits } from './run-build.ts'

const plain: RunLimits = { mode: 'to-the-end', iterationsMax: null, until: null }
const now = () => 1000

/** How many iterations may begin, and what is said then; 50 is as good as no bound. */
function allowed(limits: RunLimits, done: number): [number, string | undefined] {
  const stops = runLimits(limits, done, 10, now)
  for (let begun = 0; begun < 50; begun += 1) {
    const stop = stops.atIteration()
    if (stop !== null) return [begun, stop.reason]
  }
  return [50, undefined]
}

describe('the limits of a run, in a build that may have 10 iterations', () => {
  it.each<[RunLimits, number, [number, string]]>([
    [plain, 0, [10, 'MaxIterationsReached']],
    [plain, 7, [3, 'MaxIterationsReached']],
    [plain, 12, [0, 'MaxIterationsReached']],
    [{ ...plain, iterationsMax: 2 }, 0, [2, 'MaxIterationsReached']],
    // The operator's own number is a way on for a build that has spent its limit.
    [{ ...plain, iterationsMax: 5 }, 10, [5, 'MaxIterationsReached']],
    [{ ...plain, mode: 'one-iteration' }, 10, [1, 'SingleIterationComplete']],
    [{ ...plain, until: 1000 }, 0, [0, 'Paused']],
    [{ ...plain, until: 1001, iterationsMax: 3 }, 0, [3, 'MaxIterationsReached']],
  ])('%j after %i: %j', (limits, done, ends) => {
    expect(allowed(limits, done)).toEqual(ends)
  })

  it('tells how to go beyond the limit of the build, and only that one', () => {
    expect(runLimits(plain, 10, 10, now).atIteration()?.detail).toBe(
      "The build may have 10 iterations ([limits] max_iterations); 'ralph build -n N' allows N more.",
    )
    expect(runLimits({ ...plain, iterationsMax: 1 }, 10, 10, now).atIteration()).toBeNull()
  })
})
