import { describe, expect, it } from 'vitest'
import type { Role } from '../agent.ts'
import { commandLine } from './command-line.ts'
import { agentOf } from './stand-in.conformance.ts'

describe('the command line', () => {
  const settings = { command: ['claude'], model: null, args: [] }
  const always = ['claude', '-p', '--output-format', 'stream-json', '--verbose', '--no-session-persistence']
  const nothingElse = ['--setting-sources', '', '--strict-mcp-config']
  const reading = ['--permission-mode', 'dontAsk', '--tools', 'Read,Glob,Grep']
  const tools = 'Read,Glob,Grep,Bash,Edit,Write,NotebookEdit,Task,TodoWrite,Skill'
  const working = ['--permission-mode', 'acceptEdits', '--tools', tools, '--allowedTools', 'Bash,mcp__ralph']
  const words = expect.stringMatching(/^You work unattended/)
  const reach = { socket: '/run/s.sock', ralph: ['/bin/node', '/ralph.js'] }
  const server = { command: '/bin/node', args: ['/ralph.js', 'mcp', '--socket', '/run/s.sock'] }

  it.each<[Role]>([['planner'], ['reviewer'], ['sia']])('of the %s: it may read, and has no tools of ours', (role) => {
    const line = commandLine(settings, { role, reach })
    expect(line).toEqual([...always, ...nothingElse, ...reading, '--append-system-prompt', words])
    expect(line.at(-1)).toContain('You may only read')
  })

  it('of the implementer: it may edit, run commands, and use our tools', () => {
    expect(commandLine(settings, { role: 'implementer', reach })).toEqual([
      ...always,
      ...nothingElse,
      '--mcp-config',
      JSON.stringify({ mcpServers: { ralph: server } }),
      ...working,
      '--append-system-prompt',
      words,
    ])
  })

  it('with a plugin, a model and the user’s own arguments, which come last', () => {
    const own = { command: ['/opt/claude', '--debug'], model: 'opus', args: ['--max-turns', '80'] }
    expect(commandLine(own, { role: 'implementer', plugin: '/plugin' })).toEqual([
      '/opt/claude',
      '--debug',
      ...always.slice(1),
      ...nothingElse,
      ...working,
      ...['--plugin-dir', '/plugin', '--model', 'opus', '--append-system-prompt', words, '--max-turns', '80'],
    ])
  })

  it('is shown as one would type it', () => {
    const shown = agentOf({ program: 'claude' }).describe({ role: 'implementer', folder: '/w' })
    expect(shown).toMatch(/^claude -p --output-format stream-json .* --setting-sources '' .* < \{prompt_file\}$/)
  })
})
