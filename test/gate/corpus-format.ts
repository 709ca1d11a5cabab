// Reads a file of the corpus: one project with its tasks, and the patches that agents hand in for them.
//
//   #: BLOCK WORDS           begins a block: project, task, cheat, honest, again, sealed
//   key: value               what the block says about itself; a key may come again
//   -- path --               the file's content, to the next line that begins anything
//   -+ path --               the same, at the end of the file that is there
//   -* path --               OLD, a line `=>`, NEW: a replacement in the file; `;;` on a line of its own goes on to the next
//   -! path                  the file or folder is deleted
//   -> path path             it is moved

export type Change =
  | { readonly is: 'write' | 'append'; readonly path: string; readonly text: string }
  | { readonly is: 'replace'; readonly path: string; readonly pairs: readonly (readonly [string, string])[] }
  | { readonly is: 'delete'; readonly path: string }
  | { readonly is: 'move'; readonly path: string; readonly to: string }

export interface Block {
  readonly kind: string
  readonly words: string
  readonly line: number
  readonly keys: ReadonlyMap<string, readonly string[]>
  readonly changes: readonly Change[]
}

interface Open {
  readonly block: Block
  readonly keys: Map<string, string[]>
  readonly changes: Change[]
}

export function blocksOf(text: string, name: string): readonly Block[] {
  const lines = text.replace(/\n$/, '').split('\n')
  const found: Open[] = []
  let at = 0
  while (at < lines.length) {
    const line = lines[at] ?? ''
    const start = /^#: (\w+) ?(.*)$/.exec(line)
    const open = found.at(-1)
    if (start !== null) found.push(opened(start[1] ?? '', start[2] ?? '', at + 1))
    else if (open === undefined) {
      if (line.trim() !== '') throw new Error(`${name}:${at + 1}: nothing stands before the first block`)
    } else {
      const body = contentAfter(lines, at)
      read(open, line, body, `${name}:${at + 1}`)
      if (hasContent(line)) at += body.length
    }
    at += 1
  }
  return found.map(({ block }) => block)
}

function opened(kind: string, words: string, line: number): Open {
  const keys = new Map<string, string[]>()
  const changes: Change[] = []
  return { block: { kind, words, line, keys, changes }, keys, changes }
}

const CONTENT = /^-([-+*]) (\S+) --$/
const BEGINS = /^(#: |-[-+*] \S+ --$|-! \S+$|-> \S+ \S+$)/

function hasContent(line: string): boolean {
  return CONTENT.test(line)
}

function contentAfter(lines: readonly string[], at: number): readonly string[] {
  const rest = lines.slice(at + 1)
  const end = rest.findIndex((line) => BEGINS.test(line))
  return end === -1 ? rest : rest.slice(0, end)
}

function read({ keys, changes }: Open, line: string, body: readonly string[], where: string): void {
  const content = CONTENT.exec(line)
  if (content !== null) {
    changes.push(changeOf(content[1] ?? '', content[2] ?? '', body, where))
    return
  }
  const [, gone] = /^-! (\S+)$/.exec(line) ?? []
  const [, from, to] = /^-> (\S+) (\S+)$/.exec(line) ?? []
  const [, key, value] = /^([a-z]+): ?(.*)$/.exec(line) ?? []
  if (gone !== undefined) changes.push({ is: 'delete', path: gone })
  else if (from !== undefined && to !== undefined) changes.push({ is: 'move', path: from, to })
  else if (key !== undefined && value !== undefined) keys.set(key, [...(keys.get(key) ?? []), value])
  else if (line.trim() !== '') throw new Error(`${where}: '${line}' is neither a key nor a change`)
}

/** One empty line before the next block is for the reader, not for the file. */
function textOf(lines: readonly string[]): string {
  const kept = lines.at(-1) === '' ? lines.slice(0, -1) : lines
  return kept.length === 0 ? '' : `${kept.join('\n')}\n`
}

function changeOf(mark: string, path: string, body: readonly string[], where: string): Change {
  if (mark === '-') return { is: 'write', path, text: textOf(body) }
  if (mark === '+') return { is: 'append', path, text: textOf(body) }
  const pairs = textOf(body)
    .replace(/\n$/, '')
    .split('\n;;\n')
    .map((pair): readonly [string, string] => {
      const [before, after, ...more] = `${pair}\n`.split('\n=>\n')
      if (before === undefined || after === undefined || more.length > 0)
        throw new Error(`${where}: a replacement is OLD, a line '=>', NEW`)
      return [before, after.replace(/\n$/, '')]
    })
  return { is: 'replace', path, pairs }
}
