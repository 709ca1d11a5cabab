// Both output streams of a child: captured within bounds, shown to the live consumer, counted against the cap.
import { startCapture, type HeadTailBuffer } from './head-tail-buffer.ts'
import { OUTPUT_CAP_DEFAULT_BYTES, type Command, type StreamName } from './command.ts'
import { readAll, type Source } from './reader.ts'

export interface OutputEvents {
  /** The child printed something. */
  touched(): void
  flooded(): void
  /** Suspends the idle deadline while the consumer, not the child, makes us wait. */
  suspendIdle(): () => void
  consumerFailed(error: unknown): void
}

export interface Output {
  /** Settles when both streams have ended. */
  readonly done: Promise<void>
  isDone(): boolean
  /** Grows with every byte and every answer of the consumer. */
  progress(): number
  isConsumerBusy(): boolean
  /** Stops reading and showing. */
  close(): void
  captured(stream: StreamName): HeadTailBuffer
}

export function readOutput(
  command: Pick<Command, 'keep' | 'onOutput' | 'outputCapBytes'>,
  sources: Readonly<Record<StreamName, Source>>,
  events: OutputEvents,
): Output {
  const capBytes = command.outputCapBytes ?? OUTPUT_CAP_DEFAULT_BYTES
  const captures = { stdout: startCapture(command.keep), stderr: startCapture(command.keep) }
  const consumer = startConsumer(command.onOutput, events)
  let totalBytes = 0
  let isDone = false
  let isClosed = false

  const take = (name: StreamName) => (bytes: Buffer) => {
    if (isClosed) return undefined
    captures[name].add(bytes)
    totalBytes += bytes.length
    events.touched()
    if (totalBytes <= capBytes) return consumer.show(bytes, name)
    events.flooded()
    return undefined
  }
  const readers = [readAll(sources.stdout, take('stdout')), readAll(sources.stderr, take('stderr'))]
  const done = Promise.all(readers.map((reader) => reader.done)).then(() => {
    isDone = true
  })
  return {
    done,
    isDone: () => isDone,
    progress: () => totalBytes + consumer.answers(),
    isConsumerBusy: consumer.isBusy,
    close: () => {
      isClosed = true
      for (const reader of readers) reader.close()
    },
    captured: (name) => captures[name].captured(),
  }
}

interface Consumer {
  show(bytes: Buffer, name: StreamName): void | Promise<void>
  isBusy(): boolean
  answers(): number
}

/** Gives the consumer its own copy of each chunk, and frees the copy after the consumer's answer. */
function startConsumer(onOutput: Command['onOutput'], events: OutputEvents): Consumer {
  let busy = 0
  let answers = 0
  const failed = (error: unknown): void => events.consumerFailed(error)
  return {
    isBusy: () => busy > 0,
    answers: () => answers,
    show: (bytes, name) => {
      if (onOutput === undefined) return undefined
      const { chunk, takeBack } = lent(bytes)
      try {
        const answer = onOutput(chunk, name)
        if (answer === undefined) return takeBack()
        const resumeIdle = events.suspendIdle()
        busy++
        return answer.catch(failed).then(() => {
          busy--
          answers++
          resumeIdle()
          takeBack()
        })
      } catch (error) {
        return failed(error)
      }
    },
  }
}

/** Not from Node's shared pool: freeing this memory must free nothing else. */
function lent(bytes: Buffer): { readonly chunk: Buffer; takeBack(): void } {
  const memory = new ArrayBuffer(bytes.length) as ArrayBuffer & { transfer(length: number): ArrayBuffer }
  const chunk = Buffer.from(memory)
  chunk.set(bytes)
  return { chunk, takeBack: () => void memory.transfer(0) }
}
