// Runs a program under bounds and tells how it ended. Nothing it started outlives it.
//
//   start ──> running ── exits ───────────────────────────────┐
//               │ deadline, idle, aborted, flooded, lingered   v
//               └──> SIGTERM ── grace ──> SIGKILL ──> look for what is left, drain the output, kill the rest ──> Ended
//
// The end of the direct child counts. A grandchild that keeps the output open gets a short time to finish, then it is
// killed with the rest: nothing waits for 'close'.
import { setTimeout as sleep } from 'node:timers/promises'
import { startDeadlines, within } from './deadlines.ts'
import { GRACE_DEFAULT_MS, LINGER_DEFAULT_MS, requireRunnable, UNREAD_MAX_BYTES, type Command } from './command.ts'
import { NOTHING_RAN, type Ended } from './ended.ts'
import { startEnding, type Ending } from './ending.ts'
import { enlist, watchEngine } from './engine-end.ts'
import { familyOf, type Family } from '../process-table/process-tree.ts'
import { launch, type LaunchedProcess } from './launch.ts'
import { markerChain, newMarker } from '../process-table/marker.ts'
import { type Marker, MARKER_VARIABLE, OPERATOR_RUN_VARIABLE } from '../process-table/parent-markers.ts'
import { notStarted } from './not-started.ts'
import { readOutput, type Output } from './output.ts'
import { pidMoment, type PidMoment } from '../process-table/pid-window.ts'
import { hasProc } from '../process-table/proc-entry.ts'
import { entryOf } from '../process-table/process-table.ts'

/** For output still in the pipe when the child has ended. */
const DRAIN_MS = 250
/** How long a child may take to exit after SIGKILL; in the kernel it may hang for ever. */
const KILL_MS = 2_000
/** There is no event for the end of a process that is not our child. */
const LOOK_EVERY_MS = 10

export interface Running {
  /** Null where nothing was started. */
  readonly pid: number | null
  /** The marker of the child and its descendants, for `endLeftovers`. */
  readonly marker: Marker
  /** Rejects only with an error of the caller's own `onOutput`. */
  readonly ended: Promise<Ended>
  /** SIGTERM, grace, SIGKILL; ends as `aborted`. */
  stop(): void
  /** SIGKILL at once; also during the grace of `stop`. */
  kill(): void
  /** The child has reported its result: it may exit by itself for a while, then it is ended as `lingered`. */
  resultSeen(): void
  /** No output is expected now; the returned function ends that. Calls may overlap. */
  suspendIdle(): () => void
  /** Writes to a live stdin; false: too much input is still unread, and this was not written. */
  tell(text: string): boolean
  /** Ends a live stdin. */
  endInput(): void
}

export async function run(command: Command): Promise<Ended> {
  return start(command).ended
}

export function start(command: Command): Running {
  requireRunnable(command)
  const marker = newMarker()
  if (command.signal?.aborted === true) return unstarted(marker, Promise.resolve({ ...NOTHING_RAN, how: 'aborted' }))
  if (command.trust !== 'tool') watchEngine()
  const before = command.trust === 'tool' ? null : pidMoment()
  const launching = launch(command, { ...command.env, ...marked(command, marker) })
  if ('launched' in launching) return supervise(command, launching.launched, marker, before)
  const ended = launching.failed.then((error): Ended => ({
    ...NOTHING_RAN,
    how: 'notStarted',
    ...notStarted(command, error),
  }))
  return unstarted(marker, ended)
}

function marked({ speaksFor }: Command, run: Marker): Readonly<Record<string, string>> {
  const own = speaksFor === 'operator' ? { [OPERATOR_RUN_VARIABLE]: run } : {}
  return { ...own, [MARKER_VARIABLE]: markerChain(run) }
}

function unstarted(marker: Marker, ended: Promise<Ended>): Running {
  const nothing = (): void => {}
  const idle = { suspendIdle: () => nothing, tell: () => true, endInput: nothing }
  return { pid: null, marker, ended, stop: nothing, kill: nothing, resultSeen: nothing, ...idle }
}

/** Everything that belongs to one run while it lasts. */
interface Run {
  readonly exit: Exit
  readonly ending: Ending
  readonly family: Family
  readonly output: Output
  readonly graceMs: number
}

function supervise(command: Command, launched: LaunchedProcess, marker: Marker, before: PidMoment | null): Running {
  const startedAt = performance.now()
  const exit = exitOf(launched)
  const ending = startEnding()
  const clock = startDeadlines(command, ending.request)
  const family = familyOf({
    pid: launched.pid,
    startedAt: (hasProc ? entryOf(launched.pid)?.startedAt : undefined) ?? 0,
    marker: command.trust === 'tool' ? null : marker,
    before,
    isReaped: exit.isSeen,
  })
  let failure: { readonly error: unknown } | null = null
  const output = readOutput(command, launched.sources, {
    touched: clock.touch,
    suspendIdle: clock.suspendIdle,
    flooded: () => ending.request('flooded'),
    consumerFailed: (error) => {
      failure ??= { error }
      ending.request('aborted')
    },
  })
  const abort = (): void => ending.request('aborted')
  command.signal?.addEventListener('abort', abort, { once: true })
  const delist = enlist(() => family.signal('SIGKILL'))
  let linger: NodeJS.Timeout | undefined

  const finish = async (): Promise<Ended> => {
    const ended = await conduct({ exit, ending, family, output, graceMs: command.graceMs ?? GRACE_DEFAULT_MS })
    output.close()
    launched.child.stdin?.destroy()
    clock.stop()
    clearTimeout(linger)
    delist()
    command.signal?.removeEventListener('abort', abort)
    // Only a child that hangs in the kernel is still there; it must not keep this process alive.
    launched.child.unref()
    if (failure !== null) throw failure.error
    return { ...ended, durationMs: Math.round(performance.now() - startedAt) }
  }
  return {
    pid: launched.pid,
    marker,
    ended: finish(),
    stop: abort,
    kill: ending.hurry,
    resultSeen: () => {
      ending.resultSeen()
      linger ??= setTimeout(() => ending.request('lingered'), command.lingerMs ?? LINGER_DEFAULT_MS)
    },
    suspendIdle: clock.suspendIdle,
    tell: (text) => {
      const { stdin } = launched.child
      if (stdin === null || (stdin.writableLength ?? 0) > UNREAD_MAX_BYTES) return false
      if (stdin.writable) stdin.write(text)
      return true
    },
    endInput: () => void launched.child.stdin?.end(),
  }
}

async function conduct(run: Run): Promise<Ended> {
  const { exit, ending, family, output } = run
  await Promise.race([exit.seen, ending.requested])
  if (!exit.isSeen()) await bringDown(run)
  const reason = ending.reason()

  await family.look()
  await within(output.done, DRAIN_MS)
  const unkillable = await family.end()
  await drain(run)

  const { code, signal } = exit.outcome()
  // The consumer was cut off and has not seen everything: then we ended the run, not the child.
  const how = reason ?? (output.isDone() ? null : ending.reason()) ?? (signal === null ? 'exited' : 'signalled')
  return {
    how,
    code,
    signal,
    stdout: output.captured('stdout'),
    stderr: output.captured('stderr'),
    durationMs: 0,
    survivors: family.survivors(),
    unkillable: exit.isSeen() ? unkillable : Math.max(unkillable, 1),
  }
}

/** Signals the whole group and known processes outside it; a stopped process must continue to receive it. */
async function bringDown({ exit, ending, family, graceMs }: Run): Promise<void> {
  await family.look()
  if (!ending.isUrgent()) {
    family.signal('SIGTERM')
    family.signal('SIGCONT')
    const graceEndsAt = performance.now() + graceMs
    await within(Promise.race([exit.seen, ending.hurried]), graceMs)
    while (!family.isGone() && performance.now() < graceEndsAt && !ending.isUrgent()) await sleep(LOOK_EVERY_MS)
  }
  if (!exit.isSeen() || !family.isGone()) family.signal('SIGKILL')
  await within(exit.seen, KILL_MS)
}

/** All writers are dead now, so the rest is finite; a slow consumer gets the time it needs, unless we are to end. */
async function drain({ ending, output, graceMs }: Run): Promise<void> {
  let endsAt = Number.POSITIVE_INFINITY
  for (let before = -1; before !== output.progress() || output.isConsumerBusy();) {
    before = output.progress()
    if ((await within(output.done, DRAIN_MS)) === 'done') return
    if (ending.reason() !== null) endsAt = Math.min(endsAt, performance.now() + graceMs)
    if (performance.now() >= endsAt) return
  }
}

interface Exit {
  readonly seen: Promise<void>
  isSeen(): boolean
  outcome(): { readonly code: number | null; readonly signal: NodeJS.Signals | null }
}

function exitOf({ child }: LaunchedProcess): Exit {
  let outcome: ReturnType<Exit['outcome']> | null = null
  const seen = new Promise<void>((resolve) => {
    child.once('exit', (code, signal) => {
      outcome = { code, signal }
      resolve()
    })
  })
  return { seen, isSeen: () => outcome !== null, outcome: () => outcome ?? { code: null, signal: null } }
}
