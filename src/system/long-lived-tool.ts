// A tool that answers one question after the other, such as `git diff-tree --stdin`, which saves a process each time.
// This process ends without waiting for the tool, and the tool ends with its input.
import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { Socket } from 'node:net'
import type { Readable, Writable } from 'node:stream'
import { within } from './process/deadlines.ts'
import type { Command } from './process/command.ts'
import { enlist } from './process/engine-end.ts'
import { markerChain, newMarker } from './process-table/marker.ts'
import { MARKER_VARIABLE } from './process-table/parent-markers.ts'

export interface LongLivedTool {
  /**
   * The output up to `end`, which the tool prints last and nowhere else. Null where the tool is gone, prints more than
   * the limit or takes too long; then it is ended. One question at a time.
   */
  ask(question: string, end: string, limits: AnswerLimits): Promise<Buffer | null>
  isGone(): boolean
  end(): void
}

export interface AnswerLimits {
  readonly bytes: number
  readonly deadlineMs: number
}

/** An idle tool is ended after this time; the next question starts a new one. */
const IDLE_MS = 10_000

type Child = ChildProcessByStdio<Writable, Readable, null>

export function startLongLivedTool(
  { argv, cwd, env }: Pick<Command, 'argv' | 'cwd' | 'env'>,
  idleMs: number = IDLE_MS,
): LongLivedTool {
  const child = startChild(argv, cwd, { ...env, [MARKER_VARIABLE]: markerChain(newMarker()) })
  let isGone = child === null
  let heard = (_: Buffer | null): void => {}
  let idle: NodeJS.Timeout | undefined
  const delist = enlist(() => child?.kill('SIGKILL'))
  const end = (): void => {
    isGone = true
    clearTimeout(idle)
    delist()
    child?.stdin.destroy()
    child?.kill('SIGKILL')
    heard(null)
  }
  child?.once('error', end).once('exit', end)
  child?.stdin.on('error', end)
  child?.stdout.on('data', (bytes: Buffer) => heard(bytes))
  for (const held of keptAliveBy(child)) held.unref()

  const answerTo = (question: string, last: Buffer, limit: number): Promise<Buffer | null> =>
    new Promise((resolve) => {
      const parts: Buffer[] = []
      let size = 0
      heard = (bytes) => {
        if (bytes === null) return resolve(null)
        parts.push(bytes)
        size += bytes.length
        if (size > limit + last.length) return resolve(null)
        const whole = endsWith(parts, last)
        if (whole !== null) resolve(whole)
      }
      if (isGone) resolve(null)
      else child?.stdin.write(question)
    })
  return {
    ask: async (question, last, { bytes, deadlineMs }) => {
      clearTimeout(idle)
      for (const held of keptAliveBy(child)) held.ref()
      let answer: Buffer | null = null
      await within(
        answerTo(question, Buffer.from(last), bytes).then((found) => (answer = found)),
        deadlineMs,
      )
      heard = () => {}
      for (const held of keptAliveBy(child)) held.unref()
      if (answer === null) end()
      else idle = setTimeout(end, idleMs).unref()
      return answer
    },
    isGone: () => isGone,
    end,
  }
}

/** Without its end; null until that has come. */
function endsWith(parts: readonly Buffer[], last: Buffer): Buffer | null {
  const tail = Buffer.concat(parts.slice(-Math.max(2, last.length)))
  if (!tail.subarray(-last.length).equals(last)) return null
  const whole = Buffer.concat(parts)
  return whole.subarray(0, whole.length - last.length)
}

function startChild(argv: readonly string[], cwd: string, env: Readonly<Record<string, string>>): Child | null {
  const [program = '', ...args] = argv
  try {
    return spawn(program, args, { cwd, env, detached: true, stdio: ['pipe', 'pipe', 'ignore'] })
  } catch {
    return null
  }
}

function keptAliveBy(child: Child | null): readonly { ref(): unknown; unref(): unknown }[] {
  if (child === null) return []
  return [child, ...[child.stdin, child.stdout].filter((stream) => stream instanceof Socket)]
}
