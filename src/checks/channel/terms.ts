/** What the files of one run know. */
export interface ChannelTerms {
  /** The file that they write to. */
  readonly log: string
  /** In every line that they write. */
  readonly nonce: string
  /** What the engine put into NODE_OPTIONS. */
  readonly options: string
  /** The checkout, and paths in it of the test files to narrow the run to; none: the whole run. */
  readonly folder: string
  readonly only: readonly string[]
  /** The run ends at its first failed test. */
  readonly stop: boolean
}
