// A folder for one run of the tests: what its files share is made in it once, and goes with it.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  export interface ProvidedContext {
    runFolder: string
  }
}

export function setup({ provide }: TestProject): () => void {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'ralph-tests-')))
  provide('runFolder', folder)
  return () => rmSync(folder, { recursive: true, force: true })
}
