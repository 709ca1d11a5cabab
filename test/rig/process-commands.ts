// What the tests of this folder share: commands with short bounds, and ends without their durations.
import { execPath } from 'node:process'
import { entryOf } from '../../src/system/process-table/process-table.ts'
import { outputText } from '../../src/system/process/head-tail-buffer.ts'
import { shell, type Command } from '../../src/system/process/command.ts'
import type { Ended } from '../../src/system/process/ended.ts'
import { run, start, type Running } from '../../src/system/process/spawn.ts'
import { HANG_MS } from './hang.ts'

const PATH = process.env['PATH'] ?? '/usr/bin:/bin'

export function command(argv: readonly string[], more: Partial<Command> = {}): Command {
  return { argv, cwd: '/', env: { PATH }, deadlineMs: HANG_MS, ...more }
}

export function script(line: string, more: Partial<Command> = {}): Command {
  return command(shell(line), more)
}

export function nodeScript(code: string, more: Partial<Command> = {}): Command {
  return command([execPath, '--input-type=module', '-e', code], more)
}

/** Many times what a shell takes to print its first word on this machine: a deadline that is met, and soon over. */
export async function shortDeadlineMs(): Promise<number> {
  const before = performance.now()
  for (let time = 0; time < 5; time += 1) await run(script('echo'))
  return Math.max(500, 10 * (performance.now() - before))
}

/** The whole value, with text for bytes and without the one thing that differs from run to run. */
export function told({ durationMs: _, stdout, stderr, ...rest }: Ended): Record<string, unknown> {
  return { ...rest, stdout: outputText(stdout), stderr: outputText(stderr) }
}

export const quiet = { code: null, signal: null, stdout: '', stderr: '', survivors: 0, unkillable: 0 }

/** Starts it and calls `then` once, as soon as the output holds the words. */
export function startAndWhen(words: string, sought: Command, then: (running: Running, seen: string) => void): Running {
  let seen = ''
  let isCalled = false
  const running = start({
    ...sought,
    onOutput: (chunk) => {
      seen += chunk.toString()
      if (isCalled || !seen.includes(words)) return
      isCalled = true
      then(running, seen)
    },
  })
  return running
}

export function isRunning(pid: number): boolean {
  const entry = entryOf(pid)
  return entry !== null && !entry.hasEnded
}

/** The numbers that a script printed as `pid 123`. */
export function pidsIn(text: string): readonly number[] {
  return [...text.matchAll(/pid (\d+)/g)].map(([, pid]) => Number(pid))
}
