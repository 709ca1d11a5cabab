// Run by a scripted agent inside an iteration: `caller-program.ts SOCKET CALLS.json` calls the tools one after the
// other, through the session's own `ralph`, and prints their answers.
import { readFileSync, writeSync } from 'node:fs'
import { greet, startClient } from './client.ts'

const [socket = '', calls = '[]'] = process.argv.slice(2)
// Bound by the argument: the environment says nothing.
const { RALPH_SOCKET: _, ...env } = process.env
const client = startClient(['ralph', 'mcp', '--socket', socket], { folder: process.cwd(), env })
await greet(client)
for (const [name, input] of JSON.parse(readFileSync(calls, 'utf8')) as [string, object][])
  writeSync(1, `${await client.call(name, input)}\n`)
const { code, stderr } = await client.end()
writeSync(1, `ended with ${code}${stderr}\n`)
