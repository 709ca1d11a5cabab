// The command line in the process of the test, for tables with a call for each row: a call takes about a fifth of the
// time that the program takes to start and answer. Each suite that uses it also starts the program.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { onTestFinished } from 'vitest'
import { type Ended, type How, jsonl, RALPH, type Scratch, sharedScratch } from './scratch.ts'

/** A scratch repository whose commands run in this process. */
export interface InProcess extends Omit<Scratch, 'ralph' | 'task' | 'as' | 'ok' | 'untouched' | 'plan'> {
  ralph(args: readonly string[], how?: How): Promise<Ended>
  task(...words: readonly string[]): Promise<Ended>
  as(agent: string, ...words: readonly string[]): Promise<Ended>
  ok(...words: readonly string[]): Promise<string>
  untouched(words: readonly string[], how?: How): Promise<Ended>
  plan(...items: readonly object[]): Promise<Ended>
}

export function inProcess(): InProcess {
  const made = sharedInProcess()
  onTestFinished(made.remove)
  return made
}

/** The caller removes it. */
export function sharedInProcess(): InProcess {
  const made = sharedScratch()
  const { folder, env, state } = made
  const ralph: InProcess['ralph'] = (args, how = {}) => call(args, { folder, ...how, env: { ...env, ...how.env } })
  return {
    ...made,
    ralph,
    task: (...words) => ralph(['task', ...words]),
    as: (agent, ...words) => ralph(['task', ...words], { env: { RALPH_AGENT_ID: agent } }),
    plan: (...items) => ralph(['task', 'plan-sync'], { input: jsonl(items) }),
    ok: async (...words) => {
      const { code, stdout, stderr } = await ralph(['task', ...words])
      if (code !== 0 || stderr !== '') throw new Error(`ralph task ${words.join(' ')} ended with ${code}: ${stderr}`)
      return stdout
    },
    untouched: async (words, how) => {
      const before = state()
      const end = await ralph(['task', ...words], how)
      if (!isDeepStrictEqual(state(), before)) throw new Error(`ralph task ${words.join(' ')} changed the store`)
      return end
    },
  }
}

const MAIN = join(import.meta.dirname, '../../src/cli/main.ts')
let calls = 0
let isCalling = false

/** Gives the entry point the arguments, environment, folder and standard streams of a process of its own. */
async function call(
  args: readonly string[],
  { folder, env, input = '' }: Required<Omit<How, 'input'>> & How,
): Promise<Ended> {
  const { argv, exitCode } = process
  const own = { folder: process.cwd(), env: { ...process.env } }
  const { writeSync, readSync } = fs
  const output = { 1: '', 2: '' }
  let unread = Buffer.from(input)
  const write = (fd: number, ...rest: unknown[]): number => {
    if (fd !== 1 && fd !== 2) return Reflect.apply(writeSync, fs, [fd, ...rest]) as number
    const bytes = Buffer.from(rest[0] as Uint8Array)
    output[fd] += bytes.toString()
    return bytes.length
  }
  const read = (fd: number, ...rest: unknown[]): number => {
    if (fd !== 0) return Reflect.apply(readSync, fs, [fd, ...rest]) as number
    const length = unread.copy(rest[0] as Uint8Array)
    unread = unread.subarray(length)
    return length
  }
  if (isCalling) throw new Error('two calls at once: one was not awaited')
  isCalling = true
  try {
    process.argv = [process.execPath, RALPH, ...args]
    process.exitCode = undefined
    process.chdir(folder)
    setEnvironment(env)
    Object.assign(fs, { writeSync: write, readSync: read })
    syncBuiltinESMExports()
    // The query has the entry point evaluated again; the modules that it imports are shared.
    await import(/* @vite-ignore */ `${MAIN}?call=${(calls += 1)}`)
    return { code: Number(process.exitCode ?? 0), stdout: output[1], stderr: output[2] }
  } finally {
    Object.assign(fs, { writeSync, readSync })
    syncBuiltinESMExports()
    setEnvironment(own.env)
    process.chdir(own.folder)
    Object.assign(process, { argv, exitCode })
    isCalling = false
  }
}

/** Variable by variable: Node takes a new time zone from an assignment to TZ. */
function setEnvironment(env: Readonly<Record<string, string | undefined>>): void {
  for (const name of Object.keys(process.env)) if (!Object.hasOwn(env, name)) delete process.env[name]
  for (const [name, value] of Object.entries(env)) process.env[name] = value
}
