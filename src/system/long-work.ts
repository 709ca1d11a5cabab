import { setFlagsFromString } from 'node:v8'

/**
 * Call it before long work, which mostly waits. Every child that a process starts costs in proportion to its memory,
 * because the system copies the page tables.
 */
export function prepareForLongWork(): void {
  // V8 lets its space for new objects grow from 1 MB to 50 over a thousand tasks, though no more of them stay alive.
  setFlagsFromString('--semi-space-growth-factor=1')
  // V8 also compiles functions again after 400 and 3,000 calls. That takes 20 MB, which ten calls per task never pay
  // back. The code of a 100 MB stream is still optimised after a moment.
  setFlagsFromString('--invocation-count-for-maglev=40000')
  setFlagsFromString('--invocation-count-for-turbofan=300000')
}
