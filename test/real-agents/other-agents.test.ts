// Behaviour that the conformance suite does not cover: the failures of `gemini`, `opencode` and agents of the Agent
// Client Protocol, their usage figures, the display of their tools, the rights of each role, and the files that they
// load.
import { existsSync } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { AgentEvent, FailureKind, Outcome, Role, Usage } from '../../src/agents/agent.ts'
import { sessionIn, tempFolder } from '../../src/agents/trial.conformance.ts'
import { inOrder, type Scenario } from '../model-server/scenario.ts'
import { bash } from '../model-server/numbers-story.ts'
import { call, refuse, say, type Turn } from '../model-server/turn.ts'
import { CLAUDE_ACP, GEMINI, GEMINI_ACP, OPENCODE, OPENCODE_ACP, openReal, type RealAgent } from './other-agents.ts'

const SETTINGS = { timeoutMs: 200_000, idleTimeoutMs: 200_000, env: [], credentials: 'none' } as const
const USER = { PATH: process.env['PATH'], HOME: '/nonexistent' }

const done = say('It is done.\n\nTASK_COMPLETE')
const always =
  (turn: Turn): Scenario =>
  () =>
    turn

interface Ran extends Outcome {
  readonly events: readonly AgentEvent[]
  /** Offered to its model. */
  readonly tools: readonly string[]
}

async function ran(real: RealAgent, scenario: Scenario, folder: string, role: Role = 'implementer'): Promise<Ran> {
  const { agent, server } = await openReal(real, scenario, SETTINGS, USER)
  const events: AgentEvent[] = []
  const outcome = await agent.run(sessionIn(folder, { role, onEvent: (event) => events.push(event) }))
  const asks = server.log.all().flatMap(({ ask }) => ask ?? [])
  return { ...outcome, events, tools: [...new Set(asks.flatMap(({ tools }) => tools))].toSorted() }
}

interface Case {
  readonly real: RealAgent
  readonly missing: boolean
  readonly usage: Usage
  /** The tools of roles that only read. */
  readonly readingTools: readonly string[]
  /** What it makes of a model that says too much, or that refuses. */
  readonly stops: FailureKind | null
  /** What it takes no money for. */
  readonly poverty: FailureKind
}

const cases: readonly (readonly [name: string, one: Case])[] = [
  [
    'gemini',
    {
      real: GEMINI,
      missing: GEMINI.command === null,
      // By the list, of what is cached a tenth.
      usage: {
        inputTokens: 2110,
        outputTokens: 55,
        costUsd: expect.closeTo((1110 * 0.3 + 1000 * 0.03 + 55 * 2.5) / 1e6, 9) as number,
      },
      readingTools: ['glob', 'grep_search', 'list_directory', 'read_file'],
      stops: null,
      poverty: 'billing',
    },
  ],
  [
    'opencode',
    {
      real: OPENCODE,
      missing: OPENCODE.command === null,
      // Its API tells nothing of what goes into a cache.
      usage: { inputTokens: 2010, outputTokens: 55, costUsd: expect.any(Number) as number },
      readingTools: ['glob', 'grep', 'read'],
      stops: 'badOutput',
      poverty: 'rateLimit',
    },
  ],
]

const failures: readonly { what: string; turn: Turn; kind: FailureKind }[] = [
  { what: 'a key that is not accepted', turn: refuse('auth'), kind: 'auth' },
  { what: '403', turn: refuse('forbidden'), kind: 'auth' },
  { what: 'no money', turn: refuse('credit'), kind: 'billing' },
  { what: '429', turn: refuse('rateLimit', { resetsInSeconds: 3600 }), kind: 'rateLimit' },
  { what: '500', turn: refuse('server'), kind: 'overload' },
  { what: 'a prompt that is too long', turn: refuse('tooLong'), kind: 'contextTooLong' },
  { what: 'a model that is not there', turn: refuse('unknownModel'), kind: 'unknownCommand' },
  { what: 'connections that break', turn: { ...done, cut: { afterParts: 0, by: 'drop' } }, kind: 'overload' },
]

/** Each would leave a mark if it were loaded. */
async function poisoned(mark: string): Promise<string> {
  const folder = await tempFolder()
  const touch = (name: string): string => `touch '${mark}/${name}'`
  const server = { command: 'sh', args: ['-c', touch('server')] }
  const files = {
    '.env': 'GOOGLE_GEMINI_BASE_URL=http://127.0.0.1:9\nOPENCODE_CONFIG_CONTENT={}\n',
    '.gemini/settings.json': JSON.stringify({
      mcpServers: { other: server, ralph: server },
      tools: { core: ['google_web_search'], discoveryCommand: touch('discovery') },
      hooks: { SessionStart: [{ hooks: [{ type: 'command', command: touch('hook') }] }] },
    }),
    'opencode.json': JSON.stringify({
      permission: 'deny',
      mcp: { other: { type: 'local', command: ['sh', '-c', touch('server')] } },
    }),
  }
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
  return folder
}

describe.each(cases)('the agent %s', (_, { real, missing, usage, readingTools, stops, poverty }) => {
  it.skipIf(missing).each(failures)('knows $what, in one sentence', async ({ turn, kind }) => {
    const { failure, finalMessage } = await ran(real, always(turn), await tempFolder())
    expect({ failure, finalMessage }).toEqual({
      failure: {
        kind: kind === 'billing' ? poverty : kind,
        sentence: expect.stringMatching(/^[^\n]{20,700}$/),
        until: failure?.until ?? null,
      },
      finalMessage: '',
    })
  })

  it.skipIf(missing)('that says too much is no success, where it tells', async () => {
    const { failure } = await ran(real, always({ ...say('I was going to'), stops: 'length' }), await tempFolder())
    expect(failure?.kind ?? null).toBe(stops)
  })

  it.skipIf(missing)('tells its tools and what it used', async () => {
    const { failure, events, ...rest } = await ran(
      real,
      inOrder({ says: [{ text: 'I look.' }, ...bash('echo out; exit 3').says] }, { ...done, tokens: MORE }),
      await tempFolder(),
    )
    expect(failure).toBeNull()
    const shown = events.filter(({ type }) => type !== 'usage' && type !== 'log')
    expect(shown).toEqual([
      { type: 'text', text: 'I look.' },
      { type: 'toolUse', tool: expect.stringMatching(/shell|bash/), input: 'echo out; exit 3' },
      {
        type: 'toolResult',
        tool: expect.stringMatching(/shell|bash/),
        output: expect.stringContaining('out'),
        isError: expect.any(Boolean),
      },
      { type: 'text', text: 'It is done.' },
      { type: 'text', text: 'TASK_COMPLETE' },
    ])
    expect(rest.usage).toEqual(usage)
    expect(events.findLast(({ type }) => type === 'usage')).toEqual({ type: 'usage', usage: rest.usage })
  })

  it.skipIf(missing)('loads nothing of the repository, and has only what its role may use', async () => {
    const mark = await tempFolder()
    const folder = await poisoned(mark)
    const scenario = inOrder(
      call('Write', { file_path: join(folder, 'written'), content: 'x' }),
      bash('touch ran'),
      done,
    )
    const reviewer = await ran(real, scenario, folder, 'reviewer')
    expect(reviewer).toMatchObject({ failure: null, finalMessage: 'It is done.\n\nTASK_COMPLETE', tools: readingTools })
    expect(['written', 'ran'].filter((name) => existsSync(join(folder, name)))).toEqual([])
    const implementer = await ran(real, scenario, folder)
    expect(implementer).toMatchObject({ failure: null })
    expect(['written', 'ran'].filter((name) => existsSync(join(folder, name)))).toEqual(['written', 'ran'])
    expect(['server', 'discovery', 'hook'].filter((name) => existsSync(join(mark, name)))).toEqual([])
  })
})

const MORE = { input: 10, output: 5, cacheRead: 1000, cacheWrite: 100 }

const acpAgents: readonly (readonly [name: string, real: RealAgent])[] = [
  ['claude-agent-acp', CLAUDE_ACP],
  ['gemini --acp', GEMINI_ACP],
  ['opencode acp', OPENCODE_ACP],
]

describe.skipIf(CLAUDE_ACP.command === null).each(acpAgents)('the agent acp with %s', (name, real) => {
  it('is ready, works and tells what it used', async () => {
    const { agent } = await openReal(real, always(done), SETTINGS, USER)
    expect(await agent.ready()).toEqual({ ready: true, detail: expect.stringMatching(/\d+\.\d+\.\d+$/) })
    const folder = await tempFolder()
    const { failure, events, ...rest } = await ran(real, inOrder(bash('echo out > made'), done), folder)
    expect({ failure, finalMessage: rest.finalMessage }).toEqual({
      failure: null,
      finalMessage: 'It is done.\n\nTASK_COMPLETE',
    })
    expect(existsSync(join(folder, 'made'))).toBe(true)
    expect(events.filter(({ type }) => type.startsWith('tool')).map(({ type }) => type)).toEqual([
      'toolUse',
      'toolResult',
    ])
    // Of opencode's turn only the last step is told.
    expect(rest.usage).toMatchObject(
      name === 'opencode acp' ? { outputTokens: 50 } : { inputTokens: 2000, outputTokens: 100 },
    )
  })

  it.each<[string, Turn, FailureKind]>([
    ['a key that is not accepted', refuse('auth'), 'auth'],
    ['a prompt that is too long', refuse('tooLong'), 'contextTooLong'],
  ])('knows %s', async (_, turn, kind) => {
    const { failure } = await ran(real, always(turn), await tempFolder())
    expect(failure).toMatchObject({ kind, sentence: expect.stringMatching(/^[^\n]{20,700}$/) })
  })

  it('does not let who only reads change anything', async ({ skip }) => {
    if (name === 'opencode acp') skip('it asks for no permission; that nothing was changed is looked at afterwards')
    const folder = await tempFolder()
    const scenario = inOrder(
      call('Write', { file_path: join(folder, 'written'), content: 'x' }),
      bash('touch ran'),
      done,
    )
    await ran(real, scenario, folder, 'reviewer')
    expect(['written', 'ran'].filter((file) => existsSync(join(folder, file)))).toEqual([])
  })

  it('starts nothing of the repository', async ({ skip }) => {
    if (name !== 'gemini --acp') skip('whoever has it by its command has its own settings, and those of the repository')
    const mark = await tempFolder()
    expect(await ran(real, always(done), await poisoned(mark))).toMatchObject({ failure: null })
    expect(await readdir(mark)).toEqual([])
  })
})
