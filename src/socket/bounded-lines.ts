// Lines of a stream, none longer than a limit, without reading ahead of the consumer.

/** Yields null for a line longer than `bytesMax`, and then ends. The last line needs no line ending. */
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
