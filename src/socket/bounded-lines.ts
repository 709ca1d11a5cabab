// Lines of a stream, none longer than a limit. Nothing is read ahead of who takes them.

/** Null where a line is longer than `bytesMax`: it is the last that comes. A last line need not end. */
export async function* boundedLines(stream: AsyncIterable<Buffer>, bytesMax: number): AsyncGenerator<string | null> {
  let parts: Buffer[] = []
  let held = 0
  for await (const chunk of stream) {
    let start = 0
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      parts.push(chunk.subarray(start, end))
      if (held + end - start > bytesMax) return yield null
      yield Buffer.concat(parts).toString('utf8')
      parts = []
      held = 0
      start = end + 1
    }
    parts.push(chunk.subarray(start))
    held += chunk.length - start
    if (held > bytesMax) return yield null
  }
  if (held > 0) yield Buffer.concat(parts).toString('utf8')
}
