// Runs one command line for its result: bounded, in its own environment, with nothing left behind.
import { createHash } from 'node:crypto'
import type { CheckRun } from '../core/evidence/evidence.ts'
import { type HeadTailBuffer, outputBytes, outputText, startCapture } from '../system/process/head-tail-buffer.ts'
import type { Ended } from '../system/process/ended.ts'
import { run } from '../system/process/spawn.ts'
import type { CheckEnvironment } from './environment.ts'
import { TAIL_BYTES_READ, tailOf } from './output-tail.ts'

export interface CommandLine {
  readonly argv: readonly string[]
  readonly cwd: string
  readonly env: CheckEnvironment
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
}

export interface Outcome extends Pick<
  CheckRun,
  'argv' | 'exit' | 'how' | 'durationMs' | 'outputDigest' | 'outputTail'
> {
  /** The output, cut in the middle where it was long. */
  readonly output: string
  /** Every byte of stdout, or null where some were dropped. */
  readonly stdout: string | null
}

/** A build that prints more is stuck; the default of src/system, 1 GiB, would take minutes to read. */
const OUTPUT_CAP_BYTES = 256 * 1024 * 1024

/** 100,000 tests with a line each; a runner prints its counts at the end. */
const KEPT = { headBytes: 8 * 1024 * 1024, tailBytes: 2 * 1024 * 1024 }

export async function runCommand({ argv, cwd, env, timeoutMs, signal }: CommandLine): Promise<Outcome> {
  const digest = createHash('sha256')
  const tail = startCapture({ headBytes: 0, tailBytes: TAIL_BYTES_READ })
  const ended = await run({
    argv,
    cwd,
    env,
    deadlineMs: timeoutMs,
    outputCapBytes: OUTPUT_CAP_BYTES,
    keep: KEPT,
    onOutput: (chunk) => {
      digest.update(chunk)
      tail.add(chunk)
    },
    ...(signal === undefined ? {} : { signal }),
  })
  if (ended.how === 'aborted') signal?.throwIfAborted()
  return {
    argv,
    exit: ended.code,
    how: howOf(ended),
    durationMs: ended.durationMs,
    outputDigest: `sha256:${digest.digest('hex')}`,
    outputTail: ended.how === 'notStarted' ? ended.sentence : tailIn(tail.captured()),
    output: `${outputText(ended.stdout)}\n${outputText(ended.stderr)}`,
    stdout: outputBytes(ended.stdout)?.toString('utf8') ?? null,
  }
}

function tailIn({ tail, omittedBytes }: HeadTailBuffer): string {
  return tailOf(tail.toString('utf8'), omittedBytes === 0 ? 'whole' : 'cut')
}

function howOf({ how }: Ended): CheckRun['how'] {
  switch (how) {
    case 'exited':
    case 'signalled':
    case 'flooded':
    case 'notStarted':
      return how
    case 'deadline':
    case 'idle':
    case 'lingered':
      return 'timedOut'
    case 'aborted':
      return 'signalled'
  }
}
