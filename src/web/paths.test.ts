import { expect, it } from 'vitest'
import { routes } from '../operations/contract.ts'
import { PATHS, type Verb } from './paths.ts'

it.for(Object.keys(PATHS) as Verb[])('%s is called as the contract says', (name) => {
  expect(PATHS[name]).toBe(`${routes[name].method} ${routes[name].path}`)
})
