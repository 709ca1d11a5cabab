// `ralph init` and `ralph doctor`, as a new user meets them.
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { RALPH, run, scratch, type Scratch } from '../rig/scratch.ts'

const node = (made: Scratch) =>
  writeFileSync(
    join(made.folder, 'package.json'),
    JSON.stringify({ scripts: { test: 'node --test', lint: 'eslint .' } }),
  )
const configOf = (made: Scratch) => readFileSync(join(made.folder, 'ralph.toml'), 'utf8')

/** Like the real one, it knows a key from its environment. */
const CLAUDE_STATUS = `if [ "$1" = auth ]; then
  if [ -n "$ANTHROPIC_API_KEY" ]; then echo '{"loggedIn":true,"authMethod":"api_key"}'; else echo '{"loggedIn":false}'; fi
  exit
fi
`

/** A PATH with git, node and nothing else that Ralph looks for, but the named programs. */
function pathWith(made: Scratch, ...programs: string[]): string {
  const bin = join(made.root, 'programs')
  mkdirSync(bin)
  for (const name of programs) {
    const status = name === 'claude' ? CLAUDE_STATUS : ''
    writeFileSync(join(bin, name), `#!/bin/sh\n${status}echo "9.9.9 (${name})"\n`)
    chmodSync(join(bin, name), 0o755)
  }
  return `${bin}:/usr/bin:/bin`
}

describe('ralph init', () => {
  it('writes what it found, and says so', () => {
    const made = scratch()
    node(made)
    const { code, stdout, stderr } = made.ralph(['init', '--yes'], { env: { PATH: pathWith(made, 'codex') } })
    expect({ code, stdout }).toEqual({ code: 0, stdout: configOf(made) })
    expect(stderr).toContain('Found: node; agents: codex.')
    expect(configOf(made)).toContain('default = "codex"')
    expect(configOf(made)).toContain('unit = "npm test"')
    expect(configOf(made)).toContain('lint = "npm run lint"')
  })

  it('never overwrites', () => {
    const made = scratch()
    writeFileSync(join(made.folder, 'ralph.toml'), '# mine\n')
    const { code, stderr } = made.ralph(['init', '--yes'])
    expect(code).toBe(1)
    expect(stderr).toContain('exists already')
    expect(stderr).toContain('[RALPH_FILE_EXISTS]')
    expect(configOf(made)).toBe('# mine\n')
  })

  it('writes to the root of the checkout from any folder in it, where doctor looks too', () => {
    const made = scratch()
    node(made)
    const folder = join(made.folder, 'deep')
    mkdirSync(folder)
    made.ralph(['init', '--yes', '--agent', 'scripted'], { folder })
    expect(configOf(made)).toContain('unit = "npm test"')
    const { code, stdout } = made.ralph(['doctor'], { folder })
    expect([code, stdout]).toEqual([1, expect.stringContaining('ok      check unit      npm test\n')])
    // An agent that could not play its role is not taken for ready.
    expect(stdout).toContain('FAILED  agent scripted  no scenario is set for the scripted agent\n')
  })

  it.each([
    ['without --yes and nobody to ask', ['init'], 'add --yes'],
    ['an unknown agent', ['init', '--yes', '--agent', 'hal'], "unknown agent 'hal'"],
  ])('refuses %s and writes nothing', (_, words, sentence) => {
    const made = scratch()
    const { code, stderr } = made.ralph(words)
    expect(code).toBe(1)
    expect(stderr).toContain(sentence)
    expect(() => configOf(made)).toThrow('ENOENT')
  })

  it('needs a repository', () => {
    const made = scratch()
    const end = run(process.execPath, [RALPH, 'init', '--yes'], { folder: made.root, env: made.env })
    expect(end.code).toBe(1)
    expect(end.stderr).toContain('is not in a git repository')
  })
})

describe('ralph doctor', () => {
  interface Report {
    readonly ok: boolean
    readonly findings: readonly { what: string; state: string; detail: string; mend?: string }[]
  }
  const report = (made: Scratch, env: Record<string, string>) => {
    const { code, stdout } = made.ralph(['doctor', '--json'], { env })
    return { code, ...(JSON.parse(stdout) as Report) }
  }

  it('is content where everything is there', () => {
    const made = scratch()
    node(made)
    const env = { PATH: pathWith(made, 'claude'), ANTHROPIC_API_KEY: 'k' }
    made.ralph(['init', '--yes'], { env })
    const { code, ok, findings } = report(made, env)
    expect({ code, ok }).toEqual({ code: 0, ok: true })
    expect(findings.find(({ what }) => what === 'agent claude')).toEqual({
      what: 'agent claude',
      state: 'ok',
      detail: '9.9.9, logged in (api_key)',
    })
  })

  it('says how to mend what is missing', () => {
    const made = scratch()
    const { code, ok, findings } = report(made, { PATH: pathWith(made) })
    expect({ code, ok }).toEqual({ code: 1, ok: false })
    const failed = findings.filter(({ state }) => state === 'failed')
    expect(failed.map(({ what, mend }) => [what, mend])).toEqual([
      ['checks', expect.stringContaining('[checks]')],
      ['agent claude', expect.stringContaining('npm install -g @anthropic-ai/claude-code')],
    ])
  })

  it('warns of a check that would not start', () => {
    const made = scratch()
    writeFileSync(
      join(made.folder, 'ralph.toml'),
      '[checks]\nlint = "no-such-linter --all"\nshape = "cd lib && make"\nunit = "git --version"\n',
    )
    const { findings } = report(made, { PATH: pathWith(made) })
    expect(findings.flatMap(({ what, state }) => (what.startsWith('check ') ? [[what, state]] : []))).toEqual([
      ['check lint', 'warning'],
      ['check shape', 'ok'],
      ['check unit', 'ok'],
    ])
  })

  it('finds an agent that is not logged in', () => {
    const made = scratch()
    node(made)
    const { findings } = report(made, { PATH: pathWith(made, 'claude') })
    expect(findings.find(({ what }) => what === 'agent claude')).toMatchObject({
      state: 'failed',
      detail: 'Claude Code is not logged in',
      mend: expect.stringContaining('/login'),
    })
  })

  it('tells of a key that the agent does not get, and init hands it on', () => {
    const made = scratch()
    node(made)
    const env = {
      PATH: pathWith(made, 'claude'),
      ANTHROPIC_API_KEY: 'sk-ant-key',
      ANTHROPIC_BASE_URL: 'http://127.0.0.1:1',
    }
    expect(report(made, env).findings.find(({ what }) => what === 'agent claude')).toMatchObject({
      state: 'failed',
      mend: 'add env = ["ANTHROPIC_API_KEY"] to [agent.claude] in ralph.toml',
    })
    const { stderr } = made.ralph(['init', '--yes'], { env })
    expect(configOf(made)).toContain('[agent.claude]\nenv = ["ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"]\n')
    expect(stderr).toContain('The agent claude is ready: 9.9.9, logged in (api_key).')
    expect(configOf(made)).not.toContain('sk-ant-key')
  })

  it('names the line of a mistake in ralph.toml, and prints a line each for people', () => {
    const made = scratch()
    writeFileSync(join(made.folder, 'ralph.toml'), '[limits]\natempts = 3\n')
    const { code, stdout } = made.ralph(['doctor'])
    expect(code).toBe(1)
    expect(stdout).toContain("ralph.toml line 2: unknown key 'limits.atempts', did you mean 'limits.attempts'?")
    expect(stdout).toMatch(/→ /)
    expect(stdout).not.toContain('\u001B')
  })

  it('never prints a secret', () => {
    const made = scratch()
    const env = { PATH: pathWith(made, 'claude'), ANTHROPIC_API_KEY: 'sk-canary-123' }
    const { stdout, stderr } = made.ralph(['doctor'], { env })
    expect(stdout + stderr).not.toContain('canary')
  })
})
