import { parse } from 'smol-toml'
import { describe, expect, it } from 'vitest'
import { readFileLayer } from './file-layer.ts'
import { tomlPositions } from './toml-positions.ts'
import { relationProblems } from './cross-setting-rules.ts'
import { resolveSettings } from './resolve.ts'

function problemsOf(toml: string): readonly string[] {
  const { given, problems } = readFileLayer({ table: parse(toml), lines: tomlPositions(toml) })
  expect(problems).toEqual([])
  return relationProblems(resolveSettings(given), given).map(({ where, problem }) => `${where}: ${problem}`)
}

describe('relationProblems', () => {
  it.each([
    [
      '[agent.claude]\ntimeout = "5m"\nidle_timeout = "10m"',
      ['ralph.toml line 3: agent.claude.idle_timeout must not be longer than agent.claude.timeout (5m)'],
    ],
    [
      '[agent.codex]\nidle_timeout = "21m"',
      ['ralph.toml line 2: agent.codex.idle_timeout must not be longer than agent.codex.timeout (20m)'],
    ],
    [
      '[agents]\ndefault = "command"',
      ['ralph.toml line 2: agents.default is "command", which needs agent.command.command in ralph.toml'],
    ],
    ['[agents]\nsia = "acp"', ['ralph.toml line 2: agents.sia is "acp", which needs agent.acp.command in ralph.toml']],
    [
      '[agents]\nfallback = ["model"]',
      ['ralph.toml line 2: agents.fallback is "model", which needs agent.model.model in ralph.toml'],
    ],
    [
      '[agents]\nreviewer = "model"\n[agent.model]\nprovider = "openai-compatible"\nmodel = "x"',
      ['ralph.toml line 2: agents.reviewer is "model", which needs agent.model.base_url in ralph.toml'],
    ],
    [
      '[checks]\nhtml = "x"\n[validators]\nhtml = "y"',
      ['ralph.toml line 4: validators.html has the name of a check, rename one'],
    ],
  ])('refuses %j', (toml, problems) => {
    expect(problemsOf(toml)).toEqual(problems)
  })

  it('refuses more than 100 checks', () => {
    const checks = (count: number): string =>
      `\n[checks]\n${Array.from({ length: count }, (_, index) => `c${index} = "x"`).join('\n')}`
    expect(problemsOf(checks(100))).toEqual([])
    expect(problemsOf(checks(101))).toEqual(['ralph.toml line 2: checks has 101 commands, the most is 100'])
  })

  it.each([
    '',
    '[agent.claude]\ntimeout = "5m"',
    '[agent.claude]\ntimeout = "5m"\nidle_timeout = "5m"',
    '[agents]\ndefault = "command"\n[agent.command]\ncommand = "x"',
    '[agents]\ndefault = "scripted"',
    '[agents]\nreviewer = "model"\n[agent.model]\nmodel = "x"',
    '[agent.model]\nprovider = "openai-compatible"',
    '[agents]\nplanner = "model"\n[agent.model]\nprovider = "openai-compatible"\nmodel = "x"\nbase_url = "http://127.0.0.1:1"',
  ])('takes %j', (toml) => {
    expect(problemsOf(toml)).toEqual([])
  })
})
