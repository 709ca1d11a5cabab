// The dependency graph. Walks are iterative: a chain of 10,000 tasks must not overflow the stack.
import { refuse } from '../error/error.ts'
import type { TaskId } from '../values/id.ts'

export interface Node {
  readonly id: TaskId
  readonly deps: readonly TaskId[]
}

/** The ids along one cycle, with the first id again at the end; null where the graph has none. */
export function findCycle(nodes: Iterable<Node>): TaskId[] | null {
  const deps = new Map<TaskId, readonly TaskId[]>()
  for (const node of nodes) deps.set(node.id, node.deps)
  const finished = new Set<TaskId>()
  for (const start of deps.keys()) {
    const cycle = cycleFrom(start, deps, finished)
    if (cycle !== null) return cycle
  }
  return null
}

function cycleFrom(start: TaskId, deps: Map<TaskId, readonly TaskId[]>, finished: Set<TaskId>): TaskId[] | null {
  if (finished.has(start)) return null
  const path = [{ id: start, at: 0 }]
  const onPath = new Set([start])
  for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
    const dep = deps.get(top.id)?.[top.at++]
    if (dep === undefined) {
      finished.add(top.id)
      onPath.delete(top.id)
      path.pop()
    } else if (onPath.has(dep)) {
      const ids = path.map((step) => step.id)
      return [...ids.slice(ids.indexOf(dep)), dep]
    } else if (!finished.has(dep)) {
      onPath.add(dep)
      path.push({ id: dep, at: 0 })
    }
  }
  return null
}

const PATH_SHOWN_MAX = 12

export function requireAcyclic(nodes: Iterable<Node>): void {
  const cycle = findCycle(nodes)
  if (cycle === null) return
  const shown = cycle.length > PATH_SHOWN_MAX ? [...cycle.slice(0, PATH_SHOWN_MAX - 2), '…', cycle[0]] : cycle
  throw refuse('DEPENDENCY_CYCLE', { path: shown.join(' -> ') })
}

/** Each task below `root` with its depth, depth first; a task that two paths reach appears on both. */
export function dependencyTree(
  root: TaskId,
  depsOf: (id: TaskId) => readonly TaskId[],
  linesMax: number,
): { id: TaskId; depth: number }[] {
  const lines: { id: TaskId; depth: number }[] = []
  const ahead = [{ id: root, depth: 0 }]
  for (let line = ahead.pop(); line !== undefined && lines.length < linesMax; line = ahead.pop()) {
    lines.push(line)
    const { depth } = line
    ahead.push(
      ...depsOf(line.id)
        .map((id) => ({ id, depth: depth + 1 }))
        .toReversed(),
    )
  }
  return lines
}
