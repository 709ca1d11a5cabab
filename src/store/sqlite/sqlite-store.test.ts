import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { describeStore } from '../store.conformance.ts'
import { openSqliteStore } from './sqlite-store.ts'

let folder: string
let stores = 0

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ralph store '))
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describeStore('SQLite', async (now) => {
  stores += 1
  const path = join(folder, `${stores}`, 'ralph.db')
  return { store: await openSqliteStore(path, now), again: () => openSqliteStore(path, now) }
})
