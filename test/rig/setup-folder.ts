// For tests: a folder with these files in it, gone when the test ends.
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Setup } from '../../src/checks/check.ts'

export async function madeFolder(files: Readonly<Record<string, string | Uint8Array>> = {}): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'ralph-checks-')))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await fillFolder(folder, files)
  return folder
}

export async function fillFolder(folder: string, files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), content)
  }
}

export function setupOf(command: string, installScripts: Setup['installScripts'] = 'run'): Setup {
  return { command, installScripts }
}
