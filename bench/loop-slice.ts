/** Some tasks, built one after the other. */
export interface LoopSlice {
  readonly build: string
  /** What comes once before the first task: the build, its branch, what the engine's repository borrows. */
  readonly beginMs: number
  readonly wallMs: number
  /** Of this process and all that it started; null where the system does not tell. */
  readonly cpuMs: number | null
  /** Of every task. */
  readonly startMs: readonly number[]
  /** Of this process, after every task. */
  readonly rssBytes: readonly number[]
}
