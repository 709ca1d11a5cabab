/** Ends what hangs, some time before the runner ends its test. No test that works comes near it, on however busy a machine. */
export const HANG_MS = 150_000
