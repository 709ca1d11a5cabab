// A folder with these files; the end of the test removes it.
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'

/** By its real name: on macOS the folder for temporary files is behind a link. */
export async function madeFolder(files: Files = {}): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'ralph-test-')))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await fillFolder(folder, files)
  return folder
}

export type Files = Readonly<Record<string, string | Uint8Array>>

export async function fillFolder(folder: string, files: Files): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), content)
  }
}
