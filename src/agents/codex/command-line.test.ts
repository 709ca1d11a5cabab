import { describe, expect, it } from 'vitest'
import { ROLES } from '../agent.ts'
import { commandLine, variables } from './command-line.ts'

const SETTINGS = { command: ['codex'], model: null, args: [] }
const REACH = { socket: '/run/s.sock', ralph: ['node', '/ralph.js'] }

/** The settings that count: of one that is given twice, the last. */
function settingsIn(words: readonly string[]): Record<string, string> {
  const given = words.flatMap((word, at) => (words[at - 1] === '-c' ? [word] : []))
  return Object.fromEntries(given.map((one) => [one.slice(0, one.indexOf('=')), one.slice(one.indexOf('=') + 1)]))
}

describe('the command line', () => {
  it('speaks in records, keeps nothing, loads no settings, and takes the prompt from stdin', () => {
    const words = commandLine(SETTINGS, { role: 'implementer' }, '/s')
    const own = ['codex', 'exec', '--json', '--skip-git-repo-check', '--ephemeral', '--ignore-user-config']
    expect(words.slice(0, 7)).toEqual([...own, '--ignore-rules'])
    expect(words.at(-1)).toBe('-')
    expect(settingsIn(words)).toMatchObject({
      approval_policy: '"never"',
      allow_login_shell: 'false',
      'shell_environment_policy.exclude': '["CODEX_API_KEY","OPENAI_API_KEY"]',
      'features.apps': 'false',
    })
  })

  it.each(ROLES)('lets the %s do what its role may', (role) => {
    const words = commandLine(SETTINGS, { role, reach: REACH }, '/s.json')
    const settings = settingsIn(words)
    const works = role === 'implementer'
    expect(settings['sandbox_mode']).toBe(works ? '"workspace-write"' : '"read-only"')
    expect(words.includes('--output-schema')).toBe(!works)
    expect(settings['mcp_servers.ralph.args']).toBe(works ? '["/ralph.js","mcp","--socket","/run/s.sock"]' : undefined)
    expect(settings['developer_instructions']).toContain(works ? 'Change files only inside' : 'You may only read')
  })

  it('has no tools of ours where nobody listens, and the model and the last word of the user', () => {
    const args = ['-c', 'sandbox_mode="danger-full-access"']
    const words = commandLine({ ...SETTINGS, model: 'gpt-5', args }, { role: 'implementer' }, '/s')
    expect(settingsIn(words)).toMatchObject({ model: '"gpt-5"', sandbox_mode: '"danger-full-access"' })
    expect(words.join(' ')).not.toContain('mcp_servers')
  })

  it('has a home that is not below its temporary folder', () => {
    const { CODEX_HOME, TMPDIR } = variables('/tmp/x/home')
    expect([CODEX_HOME, CODEX_HOME.startsWith(TMPDIR)]).toEqual(['/tmp/x/home/.codex', false])
  })
})
