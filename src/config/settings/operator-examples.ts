// The operator's own sealed examples from a file. It is read once, at the start, like every setting.
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { refuse, type RalphError } from '../../core/error/error.ts'
import { readExamples } from '../../core/sealed/read-examples.ts'
import type { Environment } from '../../core/values/environment.ts'
import type { Settings, TaskExamples } from './config.ts'
import { faultWords } from './fault.ts'

const FILE_BYTES_MAX = 1024 * 1024

interface FilePlace {
  readonly folder: string
  readonly env: Environment
  readonly origins: Readonly<Record<string, string>>
}

/** Those in ralph.toml come before those in the file. */
export async function withExamplesOfFile(settings: Settings, place: FilePlace): Promise<Settings> {
  const { file } = settings.sealed
  if (file === null) return settings
  const bad = (problem: string): RalphError =>
    refuse('CONFIG_BAD', {
      where: place.origins['sealed.file'] ?? 'ralph.toml',
      problem: `sealed.file: ${file} ${problem}`,
    })
  const home = place.env['HOME'] ?? homedir()
  const path = file.startsWith('~/') ? join(home, file.slice(2)) : resolve(place.folder, file)
  const text = await textOf(path).catch((error: unknown) => {
    throw bad(`cannot be read: ${faultWords(error)}`)
  })
  if (text === null) throw bad(`is longer than ${FILE_BYTES_MAX} bytes or no plain file`)
  const read = examplesIn(text)
  if ('problem' in read) throw bad(read.problem)
  return { ...settings, examples: { ...read.examples, ...settings.examples } }
}

async function textOf(path: string): Promise<string | null> {
  // A pipe must not make the program wait.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const found = await file.stat()
    return !found.isFile() || found.size > FILE_BYTES_MAX ? null : await file.readFile('utf8')
  } finally {
    await file.close()
  }
}

/** `{"TASK": [example, …], …}` */
function examplesIn(
  text: string,
): { readonly examples: Readonly<Record<string, TaskExamples>> } | { readonly problem: string } {
  let value: unknown
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    return { problem: 'is no valid JSON' }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { problem: 'must hold an object that names tasks, each with a list of examples' }
  const examples: [string, TaskExamples][] = []
  for (const [task, list] of Object.entries(value)) {
    const read = readExamples(list)
    if (!read.ok) return { problem: `is refused: task '${task.slice(0, 128)}': ${read.problem}` }
    examples.push([task, { list: read.value, from: 'file' }])
  }
  return { examples: Object.fromEntries(examples) }
}
