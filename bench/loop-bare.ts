// The floor: a shell that does nothing but call the agent, run the check and commit.
import { spawnSync } from 'node:child_process'
import { childrenCpuMs } from './loop-cpu.ts'
import { CHECK, type BenchRepo } from './loop-repo.ts'

const LOOP = `
for ((task = 1; task <= $1; task++)); do
  [[ $(sh "$2" < /dev/null) == *TASK_COMPLETE* ]] || exit 1
  sh -c '${CHECK}' || exit 1
  git add -A && git commit -q -m "task $task" || exit 1
done`

export interface BareSlice {
  readonly wallMs: number
  readonly cpuMs: number | null
}

export function runBare({ folder, agent, env, git }: BenchRepo, tasks: number): BareSlice {
  const before = Number(git('rev-list', '--count', 'HEAD'))
  const cpuBefore = childrenCpuMs()
  const startedAt = performance.now()
  const { status, stderr } = spawnSync('bash', ['-c', LOOP, 'loop', String(tasks), agent], { cwd: folder, env })
  const wallMs = performance.now() - startedAt
  const cpuAfter = childrenCpuMs()
  if (status !== 0) throw new Error(`the bare loop ended with ${status}: ${String(stderr)}`)
  const made = Number(git('rev-list', '--count', 'HEAD')) - before
  if (made !== tasks) throw new Error(`the bare loop made ${made} commits of ${tasks}`)
  return { wallMs, cpuMs: cpuBefore === null || cpuAfter === null ? null : cpuAfter - cpuBefore }
}
