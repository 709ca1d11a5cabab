export type Mutex = <T>(work: () => Promise<T>) => Promise<T>

/** Runs work one piece after the other, in the order of the calls. */
export function newMutex(): Mutex {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const mine = last.then(work)
    last = mine.catch(() => {})
    return mine
  }
}
