// The real program, as its users start it.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

export const RALPH = join(import.meta.dirname, '../bin/ralph.js')

/** Nothing of the caller's own Ralph or git may lead the program elsewhere. */
export const plainEnvironment: NodeJS.ProcessEnv = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(RALPH|GIT)_/.test(name)),
)

/** Runs to the end and answers what it printed; anything but success is the end of the benchmark. */
export function output(folder: string, argv: readonly [string, ...string[]], input = ''): string {
  const [program, ...rest] = argv
  const { status, stdout, stderr, error } = spawnSync(program, rest, {
    cwd: folder,
    env: plainEnvironment,
    input,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  if (error !== undefined) throw error
  if (status !== 0) throw new Error(`${argv.join(' ')} ended with ${status}: ${stderr}`)
  return stdout
}

export function ralph(folder: string, words: readonly string[], input = ''): string {
  return output(folder, [process.execPath, RALPH, ...words], input)
}
