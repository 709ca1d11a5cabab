// What a browser has to load before it shows anything: scripts, as they travel.
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const PAGE = join(import.meta.dirname, '../../dist/web')
const FIRST_LOAD_BYTES_MAX = 200_000

it('the first load is at most 200 kB of compressed JavaScript, without the graph and diffs', () => {
  const index = readFileSync(join(PAGE, 'index.html'), 'utf8')
  const scripts = [...index.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].map(([, path = '']) => path)
  expect(scripts.length).toBeGreaterThan(0)
  expect(scripts.filter((path) => /task-graph|diff/.test(path))).toEqual([])
  const bytes = scripts.reduce((sum, path) => sum + statSync(join(PAGE, `${path}.gz`)).size, 0)
  expect(bytes).toBeLessThanOrEqual(FIRST_LOAD_BYTES_MAX)
})
