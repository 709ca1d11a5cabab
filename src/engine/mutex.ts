export type Mutex = <T>(work: () => Promise<T>) => Promise<T>

/** Runs what is asked for at the same time one after the other. */
export function newMutex(): Mutex {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const mine = last.then(work)
    last = mine.catch(() => {})
    return mine
  }
}
