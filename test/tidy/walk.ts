import { type Node, visitorKeys } from 'oxc-parser'

export interface Visit {
  readonly node: Node
  /** From the program down to the node's parent. */
  readonly parents: readonly Node[]
}

/** Every node below `root`, and itself, in the order of the text. */
export function* nodes(root: Node, parents: readonly Node[] = []): Generator<Visit> {
  yield { node: root, parents }
  const inside = [...parents, root]
  for (const child of childrenOf(root)) yield* nodes(child, inside)
}

function childrenOf(node: Node): Node[] {
  const fields = node as unknown as Readonly<Record<string, unknown>>
  return (visitorKeys[node.type] ?? []).flatMap((key) => fields[key]).filter(isNode)
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value
}
