import { expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../core/values/limits.ts'
import { workersOf } from './workers.ts'

const three = { limits: { ...DEFAULT_LIMITS, workers: 3 } }
const { workers: _, ...older } = DEFAULT_LIMITS

it.for([
  ['as the settings say', three, 'isolated', null, 3],
  ['as somebody says', three, 'isolated', 5, 5],
  ['one in a checkout', three, 'in-place', 5, 1],
  ['one where the settings are older than that', { limits: older as typeof DEFAULT_LIMITS }, 'isolated', null, 1],
] as const)('%s', ([, config, where, asked, workers]) => {
  expect(workersOf(config, where, asked)).toBe(workers)
})
