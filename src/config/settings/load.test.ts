import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type AgentSettings, type Config, originOf } from './config.ts'
import { loadConfig } from './load.ts'
import { madeFolder } from '../../../test/rig/folder.ts'

async function load(toml: string): Promise<Config> {
  return loadConfig({ folder: await madeFolder({ 'ralph.toml': toml }) })
}

const agent: AgentSettings = {
  command: null,
  model: null,
  timeoutMs: 1_200_000,
  idleTimeoutMs: 900_000,
  args: [],
  env: [],
  credentials: 'user',
  provider: null,
  baseUrl: null,
  tools: 'own',
  keyVariable: null,
  maxOutputTokens: null,
  inputPrice: null,
  outputPrice: null,
  scenario: null,
}

const defaults = {
  agents: {
    default: 'claude',
    planner: 'claude',
    implementer: 'claude',
    reviewer: 'claude',
    sia: 'claude',
    fallback: [],
  },
  agent: {
    claude: { ...agent, command: ['claude'] },
    codex: { ...agent, command: ['codex'] },
    gemini: { ...agent, command: ['gemini'] },
    opencode: { ...agent, command: ['opencode'] },
    acp: agent,
    command: agent,
    model: { ...agent, provider: 'anthropic' },
    scripted: agent,
  },
  checks: [],
  validators: [],
  verify: { requireTests: true },
  limits: {
    attempts: 3,
    interventions: 3,
    iterations: 10,
    maxIterations: 200,
    tasksPerPlan: 15,
    filesPerPatch: 5,
    workers: 1,
    budgetUsd: 0,
    budgetTokens: 0,
  },
  review: { when: 'thin' },
  evidence: {
    share: 1.5,
    accept: [],
    names: true,
    untouched: true,
    stable: true,
    witness: true,
    sabotage: true,
    baseJudge: true,
    sealed: true,
    plain: true,
  },
  sealed: { file: null },
  examples: {},
  protect: { paths: ['ralph.toml', '.github/**'] },
  sandbox: { mode: 'auto', network: { agent: true, setup: true, checks: false } },
  workspace: { setup: null, installScripts: 'unchanged', copy: [] },
  ship: { base: 'main', deploy: null },
  notify: { webhook: null, command: null },
}

describe('loadConfig', () => {
  it('has a default for every key', async () => {
    const { hash, origins, ...settings } = await loadConfig({ folder: await madeFolder() })
    expect(settings).toEqual(defaults)
    expect(origins).toEqual({})
    expect(hash).toMatch(/^sha256:[0-9a-f]{64}$/)
    expect((await load('')).hash).toBe(hash)
  })

  it('reads every key of the file', async () => {
    const { hash: _, origins: __, ...settings } = await load(everyKey)
    expect(settings).toEqual({
      agents: {
        default: 'codex',
        planner: 'claude',
        implementer: 'gemini',
        reviewer: 'model',
        sia: 'opencode',
        fallback: ['codex', 'command'],
      },
      agent: {
        ...defaults.agent,
        claude: {
          command: ['npx', 'claude'],
          model: 'opus',
          timeoutMs: 1_500_000,
          idleTimeoutMs: 90_000,
          args: ['--verbose', '--verbose'],
          env: ['MY_VAR'],
          credentials: 'none',
          provider: null,
          baseUrl: null,
          tools: 'own',
          keyVariable: null,
          maxOutputTokens: null,
          inputPrice: null,
          outputPrice: null,
          scenario: null,
        },
        command: { ...agent, command: ['my-agent', '--prompt-file', '{prompt_file}'] },
        model: {
          ...agent,
          model: 'm',
          provider: 'openai-compatible',
          baseUrl: 'http://127.0.0.1:9/v1',
          tools: 'none',
          keyVariable: 'MY_KEY',
          maxOutputTokens: 8000,
          inputPrice: 0.5,
          outputPrice: 2,
        },
        scripted: { ...agent, scenario: 'test/scenario.json' },
      },
      checks: [
        { name: 'unit', command: 'npm test', timeoutMs: 5_400_000, cwd: 'web' },
        { name: 'lint', command: 'npm run lint', timeoutMs: 600_000, cwd: '.' },
      ],
      validators: [{ name: 'html', command: 'npx html-validate {files}', timeoutMs: 600_000, cwd: '.' }],
      verify: { requireTests: false },
      limits: {
        attempts: 4,
        interventions: 0,
        iterations: 11,
        maxIterations: 201,
        tasksPerPlan: 16,
        filesPerPatch: 6,
        workers: 7,
        budgetUsd: 2.5,
        budgetTokens: 1_000_000,
      },
      review: { when: 'always' },
      evidence: {
        share: 2,
        accept: ['docs/**'],
        names: false,
        untouched: false,
        stable: false,
        witness: false,
        sabotage: false,
        baseJudge: false,
        sealed: false,
        plain: false,
      },
      sealed: { file: null },
      examples: {
        'add-sum': {
          list: [{ call: { module: 'src/sum.js', name: 'sum', args: [1, 2], expects: { returns: 3 } } }],
          from: 'settings',
        },
      },
      protect: { paths: ['secret/**'] },
      sandbox: { mode: 'required', network: { agent: false, setup: true, checks: true } },
      workspace: { setup: 'npm ci', installScripts: 'unchanged', copy: ['.env'] },
      ship: { base: 'trunk', deploy: './deploy.sh' },
      notify: { webhook: 'https://example.org/hook', command: 'say done' },
    })
  })

  it('puts the environment over the file and flags over both, and knows it', async () => {
    const toml = '[limits]\nattempts = 4\niterations = 5\nmax_iterations = 6\n'
    const config = await loadConfig({
      folder: await madeFolder({ 'ralph.toml': toml }),
      env: { RALPH_LIMITS_ITERATIONS: '7', RALPH_LIMITS_MAX_ITERATIONS: '8', RALPH_AGENT_ID: 'a1' },
      flags: { 'limits.max_iterations': { flag: '-n', value: '9' } },
    })
    const keys = ['limits.attempts', 'limits.iterations', 'limits.max_iterations', 'limits.interventions']
    expect(keys.map((key) => originOf(config, key))).toEqual([
      'ralph.toml line 2',
      'environment RALPH_LIMITS_ITERATIONS',
      'flag -n',
      'default',
    ])
    expect(config.limits).toEqual({ ...defaults.limits, attempts: 4, iterations: 7, maxIterations: 9 })
  })

  it('has the hash of its values, not of how they were written', async () => {
    const tables = ['[limits]\nattempts = 4\niterations = 5', '[ship]\nbase = "trunk"', '[review]\nwhen = "always"']
    const { hash } = await load(tables.join('\n'))
    const other = 'review = {when="always"}\nship.base = \'trunk\'\n[limits]\niterations = 5 # x\nattempts = 4'
    expect((await load(other)).hash).toBe(hash)
    const flags = { 'ship.base': { flag: '--base', value: 'trunk' } }
    const folder = await madeFolder({ 'ralph.toml': `${tables[0]}\n${tables[2]}` })
    expect((await loadConfig({ folder, flags })).hash).toBe(hash)
    expect((await load(tables.slice(1).join('\n'))).hash).not.toBe(hash)
  })

  it('has another hash where checks run in another order', async () => {
    const one = await load('[checks]\na = "x"\nb = "y"')
    const other = await load('[checks]\nb = "y"\na = "x"')
    expect(other.hash).not.toBe(one.hash)
  })

  it('cannot be changed', async () => {
    const config = await load(everyKey)
    expect(() => Object.assign(config.limits, { attempts: 99 })).toThrow(TypeError)
    expect(() => Object.assign(config.checks[0] ?? {}, { command: 'true' })).toThrow(TypeError)
    expect(() => Object.assign(config.origins, { x: 'y' })).toThrow(TypeError)
  })
})

describe('what loadConfig refuses', () => {
  it('is the first thing by line, then the environment, then the flags, then what does not fit together', async () => {
    const bad = {
      toml: '[limits]\nattempts = 0\n[agents]\nx = 1\n',
      env: { RALPH_SHIP_BASE: 'a b' },
      flags: { 'limits.max_iterations': { flag: '-n', value: '0' } },
    }
    const messageOf = async (toml: string, sources: object): Promise<string> => {
      const folder = await madeFolder({ 'ralph.toml': toml })
      return loadConfig({ folder, ...sources }).then(
        () => 'no refusal',
        (error: Error) => error.message,
      )
    }
    const { env, flags } = bad
    expect(await messageOf(bad.toml, { env, flags })).toMatch(/^ralph.toml line 2: limits.attempts must be/)
    expect(await messageOf('[agents]\nx = 1\nlimits = 1', { env, flags })).toMatch(/^ralph.toml line 2: unknown key/)
    expect(await messageOf('', { env, flags })).toBe(
      'environment RALPH_SHIP_BASE: ship.base must be the name of a branch, not "a b"',
    )
    expect(await messageOf('', { flags })).toMatch(/^flag -n: limits.max_iterations must be/)
    expect(await messageOf('', { flags: { 'agents.default': { flag: '--agent', value: 'command' } } })).toBe(
      'flag --agent: agents.default is "command", which needs agent.command.command in ralph.toml',
    )
  })

  it('is any line of rubbish among good ones, and it names that line', async () => {
    const good = ['[limits]', 'attempts = 3', 'iterations = 10', '[ship]', 'base = "main"', '# end']
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: good.length }), async (at) => {
        const lines = good.toSpliced(at, 0, 'zzzz = 1')
        await expect(load(lines.join('\n'))).rejects.toThrow(new RegExp(`^ralph.toml line ${at + 1}: unknown key`))
      }),
      { numRuns: 20 },
    )
  })
})

const everyKey = `
[agents]
default = "codex"
planner = "claude"
implementer = "gemini"
reviewer = "model"
sia = "opencode"
fallback = ["codex", "command"]
[agent.claude]
command = "npx claude"
model = "opus"
timeout = "25m"
idle_timeout = "90s"
args = ["--verbose", "--verbose"]
env = ["MY_VAR"]
credentials = "none"
[agent.command]
command = ["my-agent", "--prompt-file", "{prompt_file}"]
[agent.model]
provider = "openai-compatible"
model = "m"
base_url = "http://127.0.0.1:9/v1"
tools = "none"
key_variable = "MY_KEY"
max_output_tokens = 8000
input_price = 0.5
output_price = 2
[agent.scripted]
scenario = "test/scenario.json"
[checks]
unit = "npm test"
lint = "npm run lint"
[check.unit]
timeout = "1h30m"
cwd = "web"
[verify]
require_tests = false
[validators]
html = "npx html-validate {files}"
[limits]
attempts = 4
interventions = 0
iterations = 11
max_iterations = 201
tasks_per_plan = 16
files_per_patch = 6
workers = 7
budget_usd = 2.5
budget_tokens = 1_000_000
[review]
when = "always"
[evidence]
share = 2
accept = ["docs/**"]
names = false
untouched = false
stable = false
witness = false
sabotage = false
base_judge = false
sealed = false
plain = false
[sealed]
file = ""
[sealed.add-sum]
examples = [{ call = { module = "src/sum.js", name = "sum", args = [1, 2], returns = 3 } }]
[protect]
paths = ["secret/**"]
[sandbox]
mode = "required"
network = { agent = false, checks = true }
[workspace]
setup = "npm ci"
copy = [".env"]
[ship]
base = "trunk"
deploy = "./deploy.sh"
[notify]
webhook = "https://example.org/hook"
command = "say done"
`
