// One folder for a run of the tests, for everything that several test files share. The end of the run removes it.
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
