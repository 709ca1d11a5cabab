import { readFileSync } from 'node:fs'

/** Linux reports times in hundredths of a second. */
const MS_PER_TICK = 10

/** User and system time of all children, those that have ended and those that stay; null where the system does not tell. */
export function childrenCpuMs(): number | null {
  try {
    const living = readFileSync(`/proc/self/task/${process.pid}/children`, 'latin1').split(' ').filter(Boolean)
    const ofLiving = living.map((pid) => ticksOf(pid, [14, 15, 16, 17])).reduce((sum, ticks) => sum + ticks, 0)
    return (ticksOf('self', [16, 17]) + ofLiving) * MS_PER_TICK
  } catch {
    return null
  }
}

/** proc_pid_stat(5): own times are fields 14 and 15, those of children that have ended 16 and 17. */
function ticksOf(pid: string, numbers: readonly number[]): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  // What follows the name starts with field 3.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return numbers.reduce((sum, number) => sum + Number(fields[number - 3]), 0)
}
