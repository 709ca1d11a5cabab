// One reader for each test runner: it reads the runner's output line by line and gives the counts and the names in it.
import type { Counted } from './tally.ts'
import type { NamedOutcome } from './test-names.ts'

export interface RunnerReader {
  /** A line of this reader's own stream, for the counts. */
  count(text: string): void
  /** The same line for the names; also a line with the prefix of another stream, which may be the title of a test. */
  name(text: string): void
  /** After the last line. */
  finish(): Counted
}

/** Takes the names that a reader finds. */
export interface NameSink {
  test(outcome: NamedOutcome, name: string): void
  /** A test that holds other tests: the output does not say whether the runner counts it. */
  group(): void
}

export type StartReader = (names: NameSink) => RunnerReader
