// A transcript by its rows: counted, read from any hundredth on, searched by words; whatever its lines hold.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { served } from './served.ts'
import { project } from '../rig/project.ts'
import { work } from '../rig/sessions.ts'

const ROWS = 350
/** Longer than what is read at a time, together. */
const LENGTH = 8_000

it('counts, reads and searches', async () => {
  const made = project({ script: [{ role: 'implementer', task: 'two', steps: work('two') }] })
  const server = await served(made)
  await server.post('/api/build/shop/start')
  await server.until('shop', 'complete')
  const id = `${made.build()}.two.1.1`
  const rows = Array.from({ length: ROWS }, (_, at) => {
    if (at === 7) return 'no JSON'
    if (at === 8) return JSON.stringify({ at: 'now', type: 'toolUse', tool: 'Bash', input: 'say "x"' })
    if (at === 9) return JSON.stringify({ at: 'now', type: 'toolResult', tool: 'Bash', output: 'Äpfel', isError: true })
    return JSON.stringify({ at: 'now', type: 'text', text: `${at} ${'é'.repeat(LENGTH)}` })
  })
  const path = join(made.folder, `.git/ralph/transcripts/${made.build()}/two/1-1-implementer.jsonl`)
  writeFileSync(path, `${rows.join('\n')}\n{"type":"text","text":"torn`)
  const get = async (what: string) => (await server.get(`/api/iterations/${id}/${what}`)).body

  const outline = (await get('outline')) as { rows: number; bytes: number; marks: number[] }
  expect({ rows: outline.rows, bytes: outline.bytes, marksCount: outline.marks.length }).toEqual({
    rows: ROWS,
    bytes: Buffer.byteLength(`${rows.join('\n')}\n`),
    marksCount: 4,
  })
  expect(await get(`rows?from=${outline.marks[3]}&limit=2&length=5`)).toEqual({
    rows: [300, 301].map((at) => ({
      at: 'now',
      type: 'text',
      tool: null,
      isError: false,
      text: `${at} é`,
      length: LENGTH + 4,
      byte: expect.any(Number),
    })),
  })
  expect(await get(`rows?from=${outline.marks[0]}&limit=10`)).toMatchObject({
    rows: [
      ...Array.from({ length: 7 }, () => ({ type: 'text' })),
      { type: 'unknown', text: 'no JSON', at: null },
      { type: 'toolUse', tool: 'Bash', text: 'say "x"' },
      { type: 'toolResult', isError: true, text: 'Äpfel' },
    ],
  })
  const found = async (text: string) => (await get(`search?text=${encodeURIComponent(text)}`))['rows']
  expect(await Promise.all(['349 é', 'äPFEL', '"X"', 'bash', 'isError', 'torn'].map(found))).toEqual([
    [349],
    [9],
    [8],
    [8, 9],
    [],
    [],
  ])
  expect((await server.get('/api/iterations/b_1.two.1.1/outline')).status).toBe(404)
  expect((await server.get(`/api/iterations/${id}/search?text=`)).status).toBe(422)
})
