// The lines that our own reporters wrote while a check ran. Every line has the nonce of its run.

export interface ChannelLine {
  /** The process that wrote it. */
  readonly process: number
  readonly runner: string
  readonly event: string
  readonly outcome: string
  readonly name: string
}

export interface ChannelLines {
  readonly lines: readonly ChannelLine[]
  /** Lines that none of our reporters wrote. */
  readonly foreign: number
}

export function readChannelLines(written: string, nonce: string): ChannelLines {
  const lines: ChannelLine[] = []
  let foreign = 0
  for (const text of written.split('\n')) {
    if (text === '') continue
    const line = lineOf(text, nonce)
    if (line === null) foreign += 1
    else lines.push(line)
  }
  return { lines, foreign }
}

/** Whether a runner ran fewer tests than it would have by itself, because the run was narrowed to some files. */
export function wasNarrowed({ lines }: ChannelLines): boolean {
  return lines.some(({ event }) => event === 'narrowed')
}

function lineOf(text: string, nonce: string): ChannelLine | null {
  try {
    const { n, p, r, e, o = '', t = '' } = JSON.parse(text) as Readonly<Record<string, unknown>>
    if (n !== nonce || typeof p !== 'number' || typeof r !== 'string' || typeof e !== 'string') return null
    return { process: p, runner: r, event: e, outcome: String(o), name: String(t) }
  } catch {
    return null
  }
}
