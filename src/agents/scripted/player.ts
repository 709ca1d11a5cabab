// The program of the scripted agent: `node scripted-agent.js` reads its input as JSON from stdin and writes records
// to stdout.
import { readFileSync } from 'node:fs'
import { play } from './play.ts'
import type { Part } from './player-context.ts'
import { recordVoice } from './output-records.ts'

const part = JSON.parse(readFileSync(0, 'utf8')) as Part
// A child that was left behind would keep us.
process.exit(await play(part, recordVoice(), process.cwd()))
