import type { Stop, StopSwitch } from '../stop.ts'

/** Not an end: the next iteration is a session that has to choose the task again. */
export const NEXT_SESSION: Stop = { reason: 'SingleIterationComplete' }

/** Lets the engine do its own work on a task, up to where an agent is needed. */
export function untilSession(stops: StopSwitch): StopSwitch {
  return { ...stops, atIteration: () => stops.asked() ?? NEXT_SESSION }
}
