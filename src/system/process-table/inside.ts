// Tells whether this process is part of a run that an engine started, such as an agent's session or a check. The
// markers in its own environment and its ancestors' tell. A process that has cleared its environment AND left its
// parents looks like the user's own: only a sandbox holds such a one.
import { enginesIn, hasNote } from './engine-records.ts'
import type { Identity } from './identity.ts'
import { chainOf, environmentOf, MARKER_VARIABLE, OPERATOR_RUN_VARIABLE } from './parent-markers.ts'
import { type Entry, hasProc, procEntry } from './proc-entry.ts'
import type { Environment } from '../../core/values/environment.ts'

export interface Inside {
  /** The socket of the session's engine; null outside a session, or where it is unknown. */
  readonly socket: string | null
}

const SOCKET_VARIABLE = 'RALPH_SOCKET'

/**
 * Null: outside. `notes`: the folders in which the engines in question leave their notes; called only where it matters.
 */
export async function insideOf(env: Environment, notes: () => readonly string[]): Promise<Inside | null> {
  const around = [env, process.env, ...(hasProc ? ancestors(procEntry).map(({ pid }) => environmentNow(pid)) : [])]
  const markers = new Set(around.flatMap(markersIn))
  const socket = around.map((one) => one[SOCKET_VARIABLE]).find((path) => path) ?? null
  if (markers.size === 0) {
    // The engine sets both; a process that hid the marker cannot claim another engine.
    if (socket !== null) return { socket }
    if (hasProc) return null
  }
  const folders = notes()
  const isMarked = folders.some((folder) => [...markers].some((marker) => hasNote(folder, marker)))
  if (isMarked) return { socket }
  if (hasProc || isOperatorRun(process.env)) return null
  const { psEntries } = await import('./process-table-ps.ts')
  const line = ancestors(tableOf(await psEntries().catch(() => [])))
  return isBelow(line, folders.flatMap(enginesIn)) ? { socket } : null
}

/**
 * For systems where no other environment can be read. Every run leads its own process group; a program that uses the
 * library keeps its own children in its own group.
 */
export function isBelow(line: readonly Entry[], engines: readonly Identity[]): boolean {
  return line.some((entry, index) => {
    const below = line[index - 1]
    if (below === undefined || below.group !== below.pid) return false
    return engines.some(({ pid, startedAt }) => pid === entry.pid && startedAt === entry.startedAt)
  })
}

/** This process, its parent, and so on. */
export function ancestors(find: (pid: number) => Entry | null): readonly Entry[] {
  const line: Entry[] = []
  for (let next = process.pid; next > 0 && !line.some(({ pid }) => pid === next);) {
    const entry = find(next)
    if (entry === null) break
    line.push(entry)
    next = entry.parent
  }
  return line
}

export function tableOf(entries: readonly Entry[]): (pid: number) => Entry | null {
  const byPid = new Map(entries.map((entry) => [entry.pid, entry]))
  return (pid) => byPid.get(pid) ?? null
}

/** Leaves out the markers of the operator's own commands, which speak for the operator. */
function markersIn(env: Environment): readonly string[] {
  const chain = chainOf(env[MARKER_VARIABLE] ?? '')
  return isOperatorRun(env) ? chain.slice(0, -2) : chain
}

function isOperatorRun(env: Environment): boolean {
  const run = chainOf(env[MARKER_VARIABLE] ?? '').at(-1)
  return run !== undefined && run === env[OPERATOR_RUN_VARIABLE]
}

/** The environment at the start of its program. */
function environmentNow(pid: number): Environment {
  const variables = environmentOf(pid).split('\0')
  return Object.fromEntries(
    [MARKER_VARIABLE, OPERATOR_RUN_VARIABLE, SOCKET_VARIABLE].map((name) => [
      name,
      variables.find((variable) => variable.startsWith(`${name}=`))?.slice(name.length + 1),
    ]),
  )
}
