// Starts the child: its own session and group, its own environment, its three streams.
import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process'
import type { Command, StreamName } from './command.ts'
import { hasProc } from '../process-table/proc-entry.ts'
import type { Source } from './reader.ts'
import { closeChildsEnds, closeOurEnds, openStdio, type Stdio } from './stdio.ts'

export interface LaunchedProcess {
  readonly child: ChildProcess
  readonly pid: number
  readonly sources: Readonly<Record<StreamName, Source>>
}

/** `failed` carries the system's error. */
export type Launch = { readonly launched: LaunchedProcess } | { readonly failed: Promise<unknown> }

export function launch(command: Command, env: Readonly<Record<string, string>>): Launch {
  // Outside Linux, a child can open Node's own sockets by name.
  const stdio = command.trust === 'tool' || !hasProc ? null : openStdio(command.input)
  const child = startChild(command, env, stdio)
  if (stdio !== null) closeChildsEnds(stdio)
  if (child instanceof Error || child.pid === undefined) {
    if (stdio !== null) closeOurEnds(stdio)
    return { failed: child instanceof Error ? Promise.resolve(child) : errorOf(child) }
  }
  feed(child, command)
  return { launched: { child, pid: child.pid, sources: sourcesOf(child, stdio) } }
}

/** Node throws some reasons against a start (E2BIG) and reports others by an event (ENOENT). */
function startChild(
  { argv, cwd, input, stdin }: Command,
  env: Readonly<Record<string, string>>,
  stdio: Stdio | null,
): ChildProcess | Error {
  const [program = '', ...args] = argv
  const streams: StdioOptions = [
    input === undefined && stdin === undefined ? 'ignore' : (stdio?.stdin?.childs ?? 'pipe'),
    stdio?.stdout.childs ?? 'pipe',
    stdio?.stderr.childs ?? 'pipe',
  ]
  try {
    return spawn(program, args, { cwd, env, detached: true, stdio: streams })
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

function errorOf(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve) => child.once('error', resolve))
}

function sourcesOf(child: ChildProcess, stdio: Stdio | null): LaunchedProcess['sources'] {
  const stdout = stdio?.stdout.ours ?? child.stdout
  const stderr = stdio?.stderr.ours ?? child.stderr
  if (stdout === null || stderr === null) throw new Error('a started child has both output streams')
  return { stdout, stderr }
}

/** A child that does not read its input, or ends before it has read all, breaks nothing (EPIPE). */
function feed(child: ChildProcess, { input, stdin }: Command): void {
  child.stdin?.on('error', () => {})
  if (stdin !== 'live') child.stdin?.end(input)
}
