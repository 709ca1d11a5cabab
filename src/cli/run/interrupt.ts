// Ctrl+C once asks to stop, twice kills. SIGTERM, and a terminal that closes, are one Ctrl+C, and after 10 s two.

const PATIENCE_MS = 10_000

export interface Interrupts {
  /** Called once. */
  readonly stop: () => void
  /** Called at most once, after `stop`. */
  readonly kill: () => void
}

/** Listens until the returned function is called. */
export function onInterrupt({ stop, kill }: Interrupts, patienceMs: number = PATIENCE_MS): () => void {
  let times = 0
  let timer: NodeJS.Timeout | null = null
  const interrupt = (): void => {
    times += 1
    if (times === 1) stop()
    if (times === 2) kill()
  }
  const terminate = (): void => {
    interrupt()
    timer ??= setTimeout(() => {
      if (times === 1) interrupt()
    }, patienceMs).unref()
  }
  process.on('SIGINT', interrupt)
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, terminate)
  return () => {
    process.removeListener('SIGINT', interrupt)
    for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.removeListener(signal, terminate)
    if (timer !== null) clearTimeout(timer)
  }
}
