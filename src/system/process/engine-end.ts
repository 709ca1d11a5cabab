// What becomes of the children when the engine itself ends.
//
//   it exits, or crashes      the exit hook kills every group that runs
//   it is killed (kill -9)    the watch: a shell that waits for the engine's end of a pipe to close, then kills all that
//                             carries the engine's marker; within a second, Linux only
//   the watch is killed too   the next start: `endLeftovers(engineMarker of the dead engine)`
//
// Only a PID namespace with --die-with-parent (the bubblewrap sandbox) needs none of the three.
import { spawn } from 'node:child_process'
import { Socket } from 'node:net'
import { env } from 'node:process'
import { engineMarker } from '../process-table/marker.ts'
import { hasProc } from '../process-table/proc-entry.ts'

const running = new Set<() => void>()
let isHooked = false

/** `kill` ends one run at once and synchronously. Returns a function that takes it off the list. */
export function enlist(kill: () => void): () => void {
  if (!isHooked) process.once('exit', killAll)
  isHooked = true
  running.add(kill)
  return () => running.delete(kill)
}

/** Kills everything that this process runs, at once: the second Ctrl+C. */
export function killAll(): void {
  for (const kill of running) kill()
}

// The marker is checked again right before the kill. Two empty rounds end the watch, as a child may have been between
// fork and exec in the first; ten rounds are the limit. The watch carries no marker itself.
const WATCH = `
trap '' HUP INT TERM
read -r _
empty=0
for round in 1 2 3 4 5 6 7 8 9 10; do
  empty=$((empty + 1))
  for file in $(grep -lsF -e "$1" /proc/[0-9]*/environ); do
    empty=0
    pid=\${file#/proc/}
    grep -qsF -e "$1" "$file" && kill -KILL "\${pid%/environ}"
  done
  [ $empty -ge 2 ] && exit
  sleep 0.1
done
`

let isWatched = false

/**
 * Starts the watch, once; it takes about 1 MB and does nothing until the engine ends. If it cannot start, the next
 * start cleans up.
 */
export function watchEngine(): void {
  if (isWatched || !hasProc) return
  isWatched = true
  const forget = (): void => {
    isWatched = false
  }
  try {
    const watch = spawn('/bin/sh', ['-c', WATCH, 'ralph-watch', engineMarker], {
      cwd: '/',
      env: { PATH: env['PATH'] ?? '/usr/bin:/bin' },
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    watch.once('exit', forget)
    watch.once('error', forget)
    watch.stdin.on('error', forget)
    // It waits for us; we do not wait for it.
    watch.unref()
    if (watch.stdin instanceof Socket) watch.stdin.unref()
  } catch {
    forget()
  }
}
