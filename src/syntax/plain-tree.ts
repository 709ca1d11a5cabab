// Copies a tree out of the memory of the parser, so that the rules see plain data.
import type { Tree, TreeCursor } from 'web-tree-sitter'
import type { SyntaxNode } from '../core/syntax/syntax-tree.ts'

/** The rules walk the tree with the call stack. Code that people write is less than a hundred levels deep. */
const DEPTH_MAX = 1_000

interface OpenNode extends SyntaxNode {
  readonly children: OpenNode[]
}

/** Null: the tree is too deep. */
export function plainTree(tree: Tree): SyntaxNode | null {
  const cursor = tree.walk()
  try {
    const root = nodeAt(cursor)
    const open = [root]
    for (;;) {
      if (cursor.gotoFirstChild()) {
        if (open.length > DEPTH_MAX) return null
      } else {
        while (!cursor.gotoNextSibling()) {
          open.pop()
          if (!cursor.gotoParent()) return root
        }
        open.pop()
      }
      const node = nodeAt(cursor)
      open.at(-1)?.children.push(node)
      open.push(node)
    }
  } finally {
    cursor.delete()
  }
}

function nodeAt(cursor: TreeCursor): OpenNode {
  return {
    type: cursor.nodeType,
    named: cursor.nodeIsNamed,
    field: cursor.currentFieldName,
    start: cursor.startIndex,
    end: cursor.endIndex,
    line: cursor.startPosition.row + 1,
    children: [],
  }
}
