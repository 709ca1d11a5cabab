import { describe, expect, it } from 'vitest'
import type { Given } from './layer.ts'
import { checkSettings, originsOf, resolveSettings } from './resolve.ts'
import { dottedKey } from './toml-text.ts'

function given(...said: readonly (readonly [path: readonly string[], value: unknown])[]): Map<string, Given> {
  return new Map(
    said.map(([path, value], index) => [dottedKey(path), { path, value, origin: `line ${index}`, line: index }]),
  )
}

describe('settle', () => {
  it('lets roles follow the default agent until they are named', () => {
    const { agents } = resolveSettings(given([['agents', 'default'], 'codex'], [['agents', 'reviewer'], 'gemini']))
    expect(agents).toEqual({
      default: 'codex',
      planner: 'codex',
      implementer: 'codex',
      reviewer: 'gemini',
      sia: 'codex',
      fallback: [],
    })
  })

  it.each([
    [[[['agent', 'claude', 'timeout'], 60_000]], 60_000],
    [[[['agent', 'claude', 'timeout'], 1_800_000]], 900_000],
    [[[['agent', 'claude', 'idle_timeout'], 30_000]], 30_000],
  ] as const)('with %j the idle timeout is %d ms', (said, idle) => {
    expect(resolveSettings(given(...said)).agent.claude.idleTimeoutMs).toBe(idle)
  })

  it('puts checks together from both tables', () => {
    const said = given(
      [['check', 'unit', 'cwd'], 'web'],
      [['checks', 'unit'], 'npm test'],
      [['checks', 'a.b'], 'x'],
      [['check', 'html', 'timeout'], 5000],
      [['check', 'html', 'writes'], ['site/**']],
      [['validators', 'html'], 'y'],
    )
    const { checks, validators } = resolveSettings(said)
    expect(checks).toEqual([
      { name: 'unit', command: 'npm test', timeoutMs: 600_000, cwd: 'web' },
      { name: 'a.b', command: 'x', timeoutMs: 600_000, cwd: '.' },
    ])
    const html = { name: 'html', command: 'y', timeoutMs: 5000, cwd: '.', writes: ['site/**'] }
    expect(validators).toEqual([html])
  })
})

describe('originsOf', () => {
  it('gives a role that follows the origin of what it follows', () => {
    expect(originsOf(given([['agents', 'default'], 'codex'], [['agents', 'sia'], 'claude']))).toEqual({
      'agents.default': 'line 0',
      'agents.planner': 'line 0',
      'agents.implementer': 'line 0',
      'agents.reviewer': 'line 0',
      'agents.sia': 'line 1',
    })
  })
})

describe('checkSettings', () => {
  it('fills in what is not said', () => {
    expect(checkSettings('unit', 'x', {})).toEqual({ name: 'unit', command: 'x', timeoutMs: 600_000, cwd: '.' })
  })
})
