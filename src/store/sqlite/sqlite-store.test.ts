import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { describeStore } from '../store.conformance.ts'
import { openSqliteStore } from './sqlite-store.ts'

let folder: string
let stores = 0

beforeAll(() => {
  folder = mkdtempSync(join(inMemory(), 'ralph store '))
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describeStore('SQLite', async (now) => {
  stores += 1
  const own = join(folder, `${stores}`)
  const path = join(own, 'ralph.db')
  onTestFinished(() => rmSync(own, { recursive: true, force: true }))
  return { store: await openSqliteStore(path, now), again: () => openSqliteStore(path, now) }
})

/** These tests do not test durability, and a file system in memory takes a third of the time. */
function inMemory(): string {
  try {
    accessSync('/dev/shm', constants.W_OK)
    return '/dev/shm'
  } catch {
    return tmpdir()
  }
}
