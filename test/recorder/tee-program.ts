// `tee-program.ts FOLDER PROGRAM ARGUMENT …`: runs the program, and keeps its output and its end in FOLDER/stdout,
// FOLDER/stderr and FOLDER/ended.json.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const [, , folder = '', program = '', ...args] = process.argv
const child = spawn(program, args, { stdio: ['inherit', 'pipe', 'pipe'] })
for (const name of ['stdout', 'stderr'] as const) {
  child[name].pipe(createWriteStream(join(folder, name)))
  child[name].pipe(process[name], { end: false })
}
// The signal is for the program; its end is still to be recorded.
process.on('SIGTERM', () => {})
const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
writeFileSync(join(folder, 'ended.json'), JSON.stringify({ code, signal }))
process.exitCode = code ?? 1
