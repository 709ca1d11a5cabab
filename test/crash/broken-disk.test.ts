import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { bundled } from '../concurrency/program.ts'
import { remains } from './remains.ts'
import { HANG_MS } from '../rig/hang.ts'

const traced = (words: readonly string[]) => spawnSync('strace', words, { encoding: 'utf8', timeout: HANG_MS })

/** Null where a system call can be made to fail. */
function reasonNot(): string | null {
  const tried = traced(['-o', '/dev/null', '-e', 'inject=fsync:error=EIO', 'true'])
  return tried.status === 0 ? null : `strace does not work here: ${tried.error?.message ?? tried.stderr}`
}

// The 1st fsync is of the new database's journal; by the 60th some tasks are done.
it.for([1, 5, 12, 60])(
  'a disk that fails from its fsync %i on: nothing is acknowledged that is not there',
  async (from, { skip }) => {
    const reason = reasonNot()
    if (reason !== null) return skip(reason)
    const folder = mkdtempSync(join(tmpdir(), 'ralph disk '))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const program = await bundled(new URL('writer.ts', import.meta.url), folder)
    const path = join(folder, 'ralph.db')
    const broken = `inject=fsync,fdatasync:error=EIO:when=${from}+`
    const trace = ['-f', '-qq', '-o', '/dev/null', '-e', 'trace=fsync,fdatasync', '-e', broken]
    const end = traced([...trace, process.execPath, program, path, 'w'])
    expect({ status: end.status, signal: end.signal }).toEqual({ status: 1, signal: null })
    expect(end.stderr).toContain(`RalphError: cannot open the task store ${path}: disk I/O error`)
    if (!existsSync(path)) return
    const acknowledged = new Map(
      end.stdout.split('\n').flatMap((line) => (line === '' ? [] : [line.split(' ') as [string, string]])),
    )
    const found = await remains(path)
    const missing = [...acknowledged].filter(([id, writes]) => (found.get(id) ?? 0) < Number(writes))
    expect(missing).toEqual([])
    expect(acknowledged.size > 0).toBe(from >= 12)
  },
)
