import type { Environment } from '../core/values/environment.ts'

/**
 * For crash tests: `RALPH_FAILPOINT=N` ends this process as kill -9 does, the N-th time it passes a boundary of an
 * effect; with a name, the first time it passes that point.
 */
export function failpointOf(env: Environment): (name: string) => void {
  const wanted = env['RALPH_FAILPOINT'] ?? ''
  let left = Number(wanted)
  return (name) => {
    const isBoundary = /^(begun|performed|recorded) /.test(name)
    if (isBoundary) left -= 1
    if ((isBoundary && left === 0) || name === wanted) process.kill(process.pid, 'SIGKILL')
  }
}
