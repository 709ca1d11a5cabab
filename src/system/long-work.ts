import { setFlagsFromString } from 'node:v8'

/**
 * To be called before long work, which is mostly waiting: whoever has much memory pays for it with every child that is
 * started, since the system copies the tables of it.
 */
export function prepareForLongWork(): void {
  // V8 lets its room for new objects grow from 1 MB to 50 over a thousand tasks, though no more of them stay alive.
  setFlagsFromString('--semi-space-growth-factor=1')
  // And it compiles again what was called 400 times, and 3,000 times: 20 MB more, and never paid back by what is called
  // ten times for each task. What a stream of 100 MB passes through still is, after a moment.
  setFlagsFromString('--invocation-count-for-maglev=40000')
  setFlagsFromString('--invocation-count-for-turbofan=300000')
}
