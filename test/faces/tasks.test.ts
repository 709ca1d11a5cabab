// Tasks through every way in, on equal repositories: the same store afterwards, and the same refusals in the same words.
import { expect, it, onTestFinished } from 'vitest'
import { type Client, createClient, openRalph, type RequestRefused } from '../../src/index.ts'
import { RALPH } from '../rig/scratch.ts'
import { served } from '../http/served.ts'
import { startClient } from '../mcp/client.ts'
import { project, type Project } from '../rig/project.ts'

type Said = readonly [words: readonly string[], tool: string, input: object, ask: (client: Client) => Promise<unknown>]

const agent = 'ada'
/** On the command line, as a tool, and as a function of the HTTP API. */
const said: readonly Said[] = [
  [
    ['create', 'two', 'Add two'],
    'task_create',
    { id: 'two', title: 'Add two' },
    (client) => client.addTask({ id: 'two', title: 'Add two' }),
  ],
  [
    ['create', 'three', 'Add three', '--deps', 'two'],
    'task_create',
    { id: 'three', title: 'Add three', deps: ['two'] },
    (client) => client.addTask({ id: 'three', title: 'Add three', deps: ['two'] }),
  ],
  [
    ['create', 'two', 'Again'],
    'task_create',
    { id: 'two', title: 'Again' },
    (client) => client.addTask({ id: 'two', title: 'Again' }),
  ],
  [
    ['create', 'a b', 'Bad'],
    'task_create',
    { id: 'a b', title: 'Bad' },
    (client) => client.addTask({ id: 'a b', title: 'Bad' }),
  ],
  [
    ['claim', 'none', '--agent', agent],
    'task_claim',
    { id: 'none' },
    (client) => client.claimTask({ agent, task_id: 'none' }),
  ],
  [
    ['claim', 'three', '--agent', agent],
    'task_claim',
    { id: 'three' },
    (client) => client.claimTask({ agent, task_id: 'three' }),
  ],
  [['claim', '--agent', agent], 'task_claim', {}, (client) => client.claimTask({ agent })],
  [['renew', 'two', '--agent', agent], 'task_renew', { id: 'two' }, (client) => client.renewTask({ id: 'two', agent })],
  [
    ['fail', 'two', '--reason', 'no key'],
    'task_fail',
    { id: 'two', reason: 'no key' },
    (client) => client.failTask({ id: 'two', reason: 'no key' }),
  ],
  [
    ['claim', 'two', '--agent', agent],
    'task_claim',
    { id: 'two' },
    (client) => client.claimTask({ agent, task_id: 'two' }),
  ],
  [
    ['done', 'two', '--result', '{"commit":"abc"}'],
    'task_done',
    { id: 'two', result: { commit: 'abc' } },
    (client) => client.doneTask({ id: 'two', result: { commit: 'abc' } }),
  ],
  [['done', 'none'], 'task_done', { id: 'none' }, (client) => client.doneTask({ id: 'none' })],
]

it('tasks: command line, MCP, HTTP and library', async () => {
  const [onCli, onMcp, onHttp, onLibrary] = [project(), project(), project(), project()]
  const tools = startClient([process.execPath, RALPH, 'mcp'], { folder: onMcp.folder, env: onMcp.env })
  onTestFinished(async () => void (await tools.end()))
  await tools.request('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '0' },
  })
  const { address: url, token } = await served(onHttp)
  const ralph = await openRalph({ folder: onLibrary.folder, env: onLibrary.env })
  onTestFinished(() => ralph.close())
  const faces = [
    { made: onHttp, client: createClient({ url, token }) },
    { made: onLibrary, client: ralph },
  ]
  const tasks = (made: Project): unknown =>
    JSON.parse(
      made
        .ralph(['task', 'list', '--all', '--json'])
        .stdout.replaceAll(/"(assignee|\w+_at)":("[^"]*"|\d+)/g, '"$1":"X"'),
    )
  for (const [words, tool, input, ask] of said) {
    const { code, stderr } = onCli.task(...words)
    const sentence = code === 0 ? '' : (/^Error: (.*)$/m.exec(stderr)?.[1] ?? stderr)
    const wanted = [words, sentence, tasks(onCli)]
    const told = await tools.call(tool, input)
    const refused = told.startsWith('ERROR: ') ? told.slice('ERROR: '.length) : ''
    expect([words, refused, tasks(onMcp)]).toEqual(wanted)
    for (const { made, client } of faces) {
      const why = await ask(client).then(
        () => '',
        (error: RequestRefused) => error.message,
      )
      expect([words, why, tasks(made)]).toEqual(wanted)
    }
  }
  expect(tasks(onCli)).toMatchObject([
    { id: 'two', reported: true, claim: 'behaviour', claim_from: 'default' },
    { id: 'three', reported: false },
  ])
  for (const { client } of faces) {
    expect(await client.task({ id: 'two' })).toMatchObject({ status: 'done', reported: true, claimFrom: 'default' })
    const typed = await client.updateTask({ id: 'three', type: 'docs', filesExpected: ['docs/**'] })
    expect(typed).toMatchObject({ claim: 'none', claimFrom: 'type', reported: false, filesExpected: ['docs/**'] })
  }
})
