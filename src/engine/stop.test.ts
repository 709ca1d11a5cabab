import { describe, expect, it } from 'vitest'
import { oneEffect, stopSwitch, type Stop } from './stop.ts'

const spent: Stop = { reason: 'MaxIterationsReached' }
const paused: Stop = { reason: 'Paused' }
const cancelled: Stop = { reason: 'UserCancelled' }

function switchWith(limits: Partial<Parameters<typeof stopSwitch>[0]> = {}) {
  return stopSwitch({ iterations: 2, whenSpent: spent, until: null, now: () => 1000, ...limits })
}

describe('a stop switch', () => {
  it('lets as many iterations begin as are allowed, whatever else begins between them', () => {
    const stops = switchWith()
    const said = [stops.atIteration(), stops.asked(), stops.asked(), stops.atIteration(), stops.atIteration()]
    expect(said).toEqual([null, null, null, null, spent])
    expect(stops.asked()).toBeNull()
  })

  it('does not count an iteration that was cut off', () => {
    const stops = switchWith({ iterations: 1 })
    expect(stops.atIteration()).toBeNull()
    stops.uncount()
    expect([stops.atIteration(), stops.atIteration()]).toEqual([null, spent])
  })

  it.each([
    { until: 999, ends: true },
    { until: 1000, ends: true },
    { until: 1001, ends: false },
  ])('at 1000 ms, with the end at $until ms, stops before an iteration: $ends', ({ until, ends }) => {
    const stops = switchWith({ until })
    expect(stops.atIteration()?.reason).toBe(ends ? 'Paused' : undefined)
    expect(stops.asked()).toBeNull()
  })

  it.each([
    { waits: 1999, ends: false },
    { waits: 2000, ends: true },
    { waits: 9000, ends: true },
  ])('with the end at 2000 ms, does not wait for $waits ms: $ends', ({ waits, ends }) => {
    expect(switchWith({ until: 2000 }).atWait(waits)?.reason).toBe(ends ? 'Paused' : undefined)
    expect(switchWith().atWait(waits)).toBeNull()
  })

  it('begins nothing more when it is asked, and lets what runs end', () => {
    const stops = switchWith()
    stops.ask(paused)
    expect([stops.asked(), stops.atIteration(), stops.signal.aborted]).toEqual([paused, paused, false])
  })

  it('stops what runs when that is demanded, also after it was asked; the first demand counts', () => {
    const stops = switchWith()
    stops.ask(paused)
    stops.demand(cancelled)
    stops.demand({ reason: 'Aborted' })
    expect([stops.asked(), stops.atIteration(), stops.signal.aborted]).toEqual([cancelled, cancelled, true])
  })
})

describe('one effect', () => {
  it('begins, also where it is an iteration, and nothing after it', () => {
    const stops = oneEffect(new AbortController().signal, spent)
    expect([stops.asked(), stops.atIteration(), stops.asked()]).toEqual([null, null, spent])
  })

  it('does not begin where somebody asked to stop before', () => {
    const stops = oneEffect(new AbortController().signal, spent)
    stops.ask(paused)
    expect([stops.asked(), stops.atIteration()]).toEqual([paused, paused])
  })
})
