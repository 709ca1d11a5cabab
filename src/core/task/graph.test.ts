import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RalphError } from '../error/error.ts'
import { dependencyTree, findCycle, type Node, requireAcyclic } from './graph.ts'
import { type TaskId, taskId } from '../values/id.ts'

const node = (id: string, deps: string[]): Node => ({ id: taskId(id), deps: deps.map(taskId) })

/** `size` tasks, each behind the next one; the last one depends on `last`. */
function chain(size: number, last: string[]): Node[] {
  return Array.from({ length: size }, (_, index) => node(`t${index}`, index === size - 1 ? last : [`t${index + 1}`]))
}

/** Every task depends only on earlier tasks, so there is no cycle. */
const acyclic: fc.Arbitrary<Node[]> = fc
  .array(fc.array(fc.nat(30), { maxLength: 5 }), { minLength: 1, maxLength: 31 })
  .map((rows) =>
    rows.map((deps, index) =>
      node(
        `t${index}`,
        deps.filter((dep) => dep < index).map((dep) => `t${dep}`),
      ),
    ),
  )

describe('findCycle', () => {
  it.each<[name: string, nodes: Node[], cycle: string[] | null]>([
    ['nothing', [], null],
    ['a task that waits for itself', [node('a', ['a'])], ['a', 'a']],
    ['two tasks', [node('a', ['b']), node('b', ['a'])], ['a', 'b', 'a']],
    ['a way into a cycle is not part of it', [node('a', ['b']), node('b', ['c']), node('c', ['b'])], ['b', 'c', 'b']],
    ['a diamond', [node('a', ['b', 'c']), node('b', ['d']), node('c', ['d']), node('d', [])], null],
    ['a dependency that is not in the graph', [node('a', ['b'])], null],
    ['the same dependency twice', [node('a', ['b', 'b']), node('b', [])], null],
    ['behind a part without one', [node('a', []), node('b', ['a', 'c']), node('c', ['b'])], ['b', 'c', 'b']],
  ])('%s', (_, nodes, cycle) => {
    expect(findCycle(nodes)).toEqual(cycle)
  })

  it('finds none where there is none', () => {
    fc.assert(
      fc.property(acyclic, (nodes) => {
        expect(findCycle(nodes)).toBe(null)
      }),
    )
  })

  it('finds a cycle of any length in any graph, and names it link by link', () => {
    fc.assert(
      fc.property(acyclic, fc.integer({ min: 1, max: 40 }), fc.infiniteStream(fc.nat()), (nodes, length, stream) => {
        const ring = Array.from({ length }, (_, index) => node(`r${index}`, [`r${(index + 1) % length}`]))
        const mixed = [...nodes, ...ring].map((at) => ({ at, order: stream.next().value ?? 0 }))
        const graph = mixed.toSorted((one, other) => one.order - other.order).map(({ at }) => at)
        const cycle = findCycle(graph) ?? []
        const depsOf = new Map(graph.map(({ id, deps }) => [id, deps]))
        expect(cycle.slice(1).every((id, index) => depsOf.get(cycle[index] ?? id)?.includes(id))).toBe(true)
        expect([cycle.length, cycle.at(0)]).toEqual([length + 1, cycle.at(-1)])
      }),
    )
  })

  it('walks a chain of 20,000 tasks without running out of stack', () => {
    expect(findCycle(chain(20_000, []))).toBe(null)
    expect(findCycle(chain(20_000, ['t0']))?.length).toBe(20_001)
  })
})

describe('requireAcyclic', () => {
  it.each<[nodes: Node[], path: string]>([
    [[node('a', ['a'])], 'a -> a'],
    [chain(3, ['t0']), 't0 -> t1 -> t2 -> t0'],
    [chain(11, ['t0']), 't0 -> t1 -> t2 -> t3 -> t4 -> t5 -> t6 -> t7 -> t8 -> t9 -> t10 -> t0'],
    [chain(12, ['t0']), 't0 -> t1 -> t2 -> t3 -> t4 -> t5 -> t6 -> t7 -> t8 -> t9 -> … -> t0'],
  ])('names the way, and a long one by its beginning: %#', (nodes, path) => {
    expect(() => requireAcyclic(nodes)).toThrow(new RalphError('DEPENDENCY_CYCLE', { path }))
  })

  it('lets a graph without a cycle pass', () => {
    expect(() => requireAcyclic(chain(5, []))).not.toThrow()
  })
})

function depsIn(nodes: Node[]): (id: TaskId) => readonly TaskId[] {
  const deps = new Map(nodes.map((at) => [at.id, at.deps]))
  return (id) => deps.get(id) ?? []
}

describe('dependencyTree', () => {
  const shown = (nodes: Node[], linesMax: number) =>
    dependencyTree(taskId('a'), depsIn(nodes), linesMax).map(({ id, depth }) => `${' '.repeat(depth)}${id}`)

  const diamond = [node('a', ['b', 'c']), node('b', ['d']), node('c', ['d', 'e']), node('d', []), node('e', [])]

  it('goes depth first in the order given, and shows a task on each way to it', () => {
    expect(shown(diamond, 100)).toEqual(['a', ' b', '  d', ' c', '  d', '  e'])
  })

  it('shows a task alone where it waits for nothing', () => {
    expect(shown([node('a', [])], 100)).toEqual(['a'])
  })

  it.each([[0], [1], [3]])('stops at %i lines', (linesMax) => {
    expect(shown(diamond, linesMax)).toEqual(['a', ' b', '  d'].slice(0, linesMax))
  })

  it('ends on a cycle and on a graph with 2^40 ways', () => {
    const ladder = Array.from({ length: 40 }, (_, index) => node(`s${index}`, [`s${index + 1}`, `s${index + 1}`]))
    expect(shown([node('a', ['a'])], 50).length).toBe(50)
    expect(shown([node('a', ['s0']), ...ladder], 1_000).length).toBe(1_000)
  })

  it('walks a chain of 20,000 tasks', () => {
    const lines = dependencyTree(taskId('t0'), depsIn(chain(20_000, [])), 30_000)
    expect(lines.at(-1)).toEqual({ id: 't19999', depth: 19_999 })
  })
})
