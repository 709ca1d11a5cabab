import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AgentEvent } from './agent.ts'
import { transcriptPath } from './transcript-path.ts'
import { openTranscripts, TRANSCRIPT_BYTES_MAX } from './transcripts.ts'
import { tempFolder } from './trial.conformance.ts'

const NOON = Date.UTC(2026, 10, 15, 12)
const at = '2026-11-15T12:00:00.000Z'

function linesOf(path: string): unknown[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line): unknown => JSON.parse(line))
}

describe('a transcript', () => {
  const events: AgentEvent[] = [
    { type: 'text', text: 'two\nlines ✓ \u0000 \u001B[31m' },
    { type: 'toolUse', tool: 'run', input: 'ls' },
    { type: 'toolResult', tool: 'run', output: '', isError: false },
    { type: 'usage', usage: { inputTokens: 1, outputTokens: 2, costUsd: null } },
  ]

  it('has a line for every event, at once, readable by its user only', async () => {
    const { open } = openTranscripts(await tempFolder(), () => NOON)
    const transcript = open('b_1/t1/1-1-implementer')
    for (const event of events) transcript.write(event)
    expect(linesOf(transcript.path)).toEqual(events.map((event) => ({ at, ...event })))
    await transcript.close()
    await transcript.close()
    transcript.write({ type: 'text', text: 'too late' })
    expect(linesOf(transcript.path)).toHaveLength(events.length)
    expect(statSync(transcript.path).mode & 0o777).toBe(0o600)
  })

  it('is there when nothing is said', async () => {
    const transcript = openTranscripts(await tempFolder(), () => NOON).open('x')
    await transcript.close()
    expect(readFileSync(transcript.path, 'utf8')).toBe('')
  })

  it('goes on in the same file, after a line that was torn', async () => {
    const { open } = openTranscripts(await tempFolder(), () => NOON)
    const first = open('b/t/1-1-sia')
    first.write({ type: 'text', text: 'one' })
    await first.close()
    appendFileSync(first.path, '{"at":"20')
    const second = open('b/t/1-1-sia')
    second.write({ type: 'text', text: 'two' })
    await second.close()
    const one = `{"at":"${at}","type":"text","text":"one"}`
    expect(readFileSync(second.path, 'utf8')).toBe(`${one}\n{"at":"20\n${one.replace('one', 'two')}\n`)
  })

  it('stops at its limit with one line that says so, also in a later session', async () => {
    const { open } = openTranscripts(await tempFolder(), () => NOON)
    const first = open('x')
    const text = 'é'.repeat(200_000)
    for (let count = 0; count < 200; count += 1) first.write({ type: 'text', text })
    await first.close()
    const { size } = statSync(first.path)
    expect(size).toBeLessThanOrEqual(TRANSCRIPT_BYTES_MAX)
    expect(size).toBeGreaterThan(TRANSCRIPT_BYTES_MAX - 500_000)
    const note = { at, type: 'log', text: 'The transcript ends here: it has reached its limit of 64 MiB.' }
    expect(linesOf(first.path).at(-1)).toEqual(note)
    truncateSync(first.path, TRANSCRIPT_BYTES_MAX - 10)
    const second = open('x')
    second.write({ type: 'text', text: '' })
    await second.close()
    expect(statSync(first.path).size).toBeLessThanOrEqual(TRANSCRIPT_BYTES_MAX)
  })

  it('is refused where no file can be', async () => {
    const folder = await tempFolder()
    writeFileSync(join(folder, 'b'), '')
    expect(() => openTranscripts(folder, () => NOON).open('b/t/x')).toThrow(/^cannot write .*\/b\/t\/x\.jsonl: E/)
    mkdirSync(join(folder, 'd.jsonl'))
    expect(() => openTranscripts(folder, () => NOON).open('d')).toThrow(/^cannot write .*\/d\.jsonl: EISDIR$/)
  })

  it('leaves out what cannot be written, and the session goes on', async ({ skip }) => {
    skip(!existsSync('/dev/full'), 'only Linux has a file that is always full')
    const folder = await tempFolder()
    symlinkSync('/dev/full', join(folder, 'x.jsonl'))
    const transcript = openTranscripts(folder, () => NOON).open('x')
    transcript.write({ type: 'text', text: 'one' })
    transcript.write({ type: 'text', text: 'two' })
    expect(await transcript.close()).toBeUndefined()
  })
})

describe('the path of a transcript', () => {
  it.each([
    ['b_1/t-1/2-3-implementer', '/t/b_1/t-1/2-3-implementer.jsonl'],
    ['b/../../etc/passwd', '/t/b/%2E%2E/%2E%2E/etc/passwd.jsonl'],
    ['/a//b', '/t/%/a/%/b.jsonl'],
    ['%/%25', '/t/%25/%2525.jsonl'],
    ['é.x', '/t/%C3%A9%2Ex.jsonl'],
    ['', '/t/%.jsonl'],
  ])('of %j is %s', (name, expected) => {
    expect(transcriptPath('/t', name)).toBe(expected)
  })

  it('is another for every other name, stays in its folder, and no part is too long', () => {
    const names = fc.string({ unit: 'grapheme', maxLength: 300 })
    fc.assert(
      fc.property(names, names, (one, other) => {
        const [path, otherPath] = [transcriptPath('/t', one), transcriptPath('/t', other)]
        expect(path === otherPath).toBe(one === other)
        expect(path.startsWith('/t/')).toBe(true)
        expect(path.split('/').every((part) => Buffer.byteLength(part) <= 255 && part !== '..')).toBe(true)
      }),
    )
  })
})
