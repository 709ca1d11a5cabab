// Runs the commands of the guide in order and compares their output with the guide's.
import { createServer, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { routes } from '../../src/operations/contract/contract.ts'
import { blocksOf, readGuide, typed } from '../cli/guided.ts'
import { project } from '../rig/project.ts'
import { steady } from '../rig/story.ts'
import { answers, wire, work } from '../rig/sessions.ts'

const guide = readGuide('http-api.md')

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** What was answered, line by line. */
function documents(text: string): Record<string, unknown>[] {
  const lines = text.split('\n').filter((line) => line.startsWith('{'))
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>)
}

it('its commands do what it says', async () => {
  const made = project()
  made.play(
    { role: 'implementer', task: 'two', steps: work('two') },
    answers({ tasks: [wire({ id: 'three' })], notes: '' }),
    { role: 'implementer', task: 'three', steps: work('three') },
  )
  const blocks = blocksOf(guide.replaceAll('7257', String(await freePort())))
  const printed = typed(made, blocks)
  const shown = blocks.map(({ output }, at) => (output === null ? null : [steady(printed[at] ?? ''), steady(output)]))
  expect(shown.flatMap((pair) => (pair === null ? [] : [pair[0]]))).toEqual(
    shown.flatMap((pair) => (pair === null ? [] : [pair[1]])),
  )
  const [, , events = '', looks = '', , ideas = '', , steps = ''] = printed
  expect(events.match(/^event: .*$/gm)).toContain('event: buildComplete')
  expect(documents(looks).map((one) => Object.keys(one)[0])).toEqual([
    ...['sessionId', 'build_id', 'builds', 'facts', 'tasks', 'iterations', 'repositories', 'openapi'],
  ])
  const [gate, idea, list] = documents(ideas).toReversed()
  expect(list).toMatchObject({
    ideas: [{ id: 'sums', build: { progress: { completed: 1 } } }, { id: 'shop' }],
    next: null,
  })
  expect(idea).toMatchObject({ phase: 'deployed', spec: { tasks: [{ id: 'three' }] } })
  expect(gate).toMatchObject({ ok: true, base: 'main', published: true })
  expect(made.git('log', '--format=%s', '-2', 'main')).toBe('feat: Add three\nfeat: Add two\n')
  expect(documents(steps).map((one) => one['phase'])).toEqual([...['planning', 'implementing', 'aborted']])
  expect(printed).toHaveLength(blocks.length + 1)
})

it('has a row for every route', () => {
  const rows = guide.split('\n').filter((line) => line.startsWith('| `'))
  const missing = Object.values(routes).filter(({ path }) => {
    const parts = path.split('/')
    const verb = parts.at(-1) ?? ''
    return !rows.some((row) => row.includes(path) || (row.includes(parts.slice(0, 3).join('/')) && row.includes(verb)))
  })
  expect(missing).toEqual([])
})
