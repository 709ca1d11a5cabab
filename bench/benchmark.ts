import type { Report } from './figures.ts'

export interface Benchmark {
  /** `group/what`; the group's name alone means all of them. */
  readonly name: string
  /** How often each contender is measured where the caller names no number. */
  readonly rounds: number
  /** `folder` is empty and goes when the benchmark has ended. */
  readonly run: (folder: string, rounds: number, length: Length) => Promise<Report>
}

/** `long`: also what takes minutes. */
export type Length = 'short' | 'long'
