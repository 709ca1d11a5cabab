// A worker of task/claims: as many tasks as it can in a slice of time, on each message.

export interface Slice {
  /** How long each claim took; every one was followed by its done. */
  readonly claimMs: readonly number[]
  readonly elapsedMs: number
  readonly cpuMs: number
}

export interface Claimer<Id> {
  /** Null: nothing is left. */
  readonly claim: () => Promise<Id | null>
  readonly done: (id: Id) => Promise<void>
}

/** Answers every message, a number of milliseconds, with a slice; ends with the process that asks. */
export function serveSlices<Id>(claimer: Claimer<Id>): void {
  process.on('message', (milliseconds: number) => {
    void slice(claimer, milliseconds).then((made) => process.send?.(made))
  })
  process.send?.('ready')
}

async function slice<Id>({ claim, done }: Claimer<Id>, milliseconds: number): Promise<Slice> {
  const claimMs: number[] = []
  const cpuBefore = process.cpuUsage()
  const startedAt = performance.now()
  for (let now = startedAt; now - startedAt < milliseconds; now = performance.now()) {
    const id = await claim()
    if (id === null) break
    claimMs.push(performance.now() - now)
    await done(id)
  }
  const elapsedMs = performance.now() - startedAt
  const { user, system } = process.cpuUsage(cpuBefore)
  return { claimMs, elapsedMs, cpuMs: (user + system) / 1000 }
}
