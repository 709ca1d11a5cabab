import { parse } from 'smol-toml'
import { describe, expect, it } from 'vitest'
import { readFileLayer } from './file-layer.ts'
import { tomlPositions } from './toml-positions.ts'
import type { Layer } from './layer.ts'

function read(toml: string): Layer {
  return readFileLayer({ table: parse(toml), lines: tomlPositions(toml) })
}

describe('readFileLayer', () => {
  it('has each value with its line, and the tables too', () => {
    const { given, problems } = read('[limits]\nattempts = 4\n[sandbox]\nnetwork = { checks = true }\n')
    expect(problems).toEqual([])
    expect([...given].map(([key, { value, origin, line }]) => [key, value, origin, line])).toEqual([
      ['limits', { attempts: 4 }, 'ralph.toml line 1', 1],
      ['limits.attempts', 4, 'ralph.toml line 2', 2],
      ['sandbox', { network: { checks: true } }, 'ralph.toml line 3', 3],
      ['sandbox.network', { checks: true }, 'ralph.toml line 4', 4],
      ['sandbox.network.checks', true, 'ralph.toml line 4', 4],
    ])
  })

  it('keeps checks in the order of the text, whatever their names', () => {
    const { given, problems } = read(
      '[checks]\nb = "x"\n2 = "x"\n1 = "x"\n__proto__ = "x"\nrule = "x"\ndefault = "x"\n',
    )
    expect(problems).toEqual([])
    expect([...given.keys()].slice(1)).toEqual(
      ['b', '2', '1', '__proto__', 'rule', 'default'].map((name) => `checks.${name}`),
    )
  })

  const known = (names: string): string => `known here: ${names}`
  const longName = 'x'.repeat(65)
  const nameRule = 'a name here is 1 to 64 characters without white space or control characters'
  it.each([
    ['[limits]\natempts = 3', 2, "unknown key 'limits.atempts', did you mean 'limits.attempts'?"],
    ['limits.atempts = 3', 1, "unknown key 'limits.atempts', did you mean 'limits.attempts'?"],
    [
      'x = 1',
      1,
      `unknown key 'x', ${known('agents, agent, verify, limits, review, evidence, sealed, protect, sandbox, workspace, ship, notify, checks, validators, check')}`,
    ],
    ['\n[limit]\nattempts = 3', 2, "unknown key 'limit', did you mean 'limits'?"],
    ['max_iterations = 3', 1, "unknown key 'max_iterations', did you mean 'limits.max_iterations'?"],
    ['[review]\ncolour = 3', 2, `unknown key 'review.colour', ${known('when')}`],
    ['[agent.cluade]\nmodel = "x"', 1, "unknown key 'agent.cluade', did you mean 'agent.claude'?"],
    ['[agent.claude]\ntimout = "5m"', 2, "unknown key 'agent.claude.timout', did you mean 'agent.claude.timeout'?"],
    [
      '[sandbox]\nnetwork = { agents = true }',
      2,
      "unknown key 'sandbox.network.agents', did you mean 'sandbox.network.agent'?",
    ],
    ['[checks]\nunit = "x"\n[check.untt]\ncwd = "a"', 3, "unknown key 'check.untt', did you mean 'check.unit'?"],
    ['[checks]\nunit = "x"\n[check.zzz]', 3, `unknown key 'check.zzz', ${known('unit')}`],
    ['[check.unit]\ncwd = "a"', 1, "unknown key 'check.unit', give its command in [checks] first"],
    [
      '[checks]\nunit = "x"\n[check.unit]\ncmd = "a"',
      4,
      "unknown key 'check.unit.cmd', did you mean 'check.unit.cwd'?",
    ],
    [
      '__proto__ = 1',
      1,
      "unknown key '__proto__', known here: agents, agent, verify, limits, review, evidence, sealed, protect, sandbox, workspace, ship, notify, checks, validators, check",
    ],
    [
      '[limits]\nconstructor = 1',
      2,
      "unknown key 'limits.constructor', known here: attempts, interventions, iterations, max_iterations, tasks_per_plan, files_per_patch, workers, budget_usd, budget_tokens",
    ],
    [
      '"limits.attempts" = 3',
      1,
      `unknown key '"limits.attempts"', ${known('agents, agent, verify, limits, review, evidence, sealed, protect, sandbox, workspace, ship, notify, checks, validators, check')}`,
    ],
    ['limits = 3', 1, 'limits must be a table, not 3'],
    ['[[limits]]\nattempts = 1', 1, 'limits must be a table, not a list'],
    ['checks = "npm test"', 1, 'checks must be a table, not "npm test"'],
    ['[checks]\nunit = { command = "x" }', 2, 'checks.unit must be a text, not a table'],
    ['[checks]\nunit = ""', 2, 'checks.unit must be a command, not ""'],
    ['[checks]\n"a b" = "x"', 2, `${nameRule}, not "a b"`],
    ['[checks]\n"" = "x"', 2, `${nameRule}, not ""`],
    [`[validators]\n${longName} = "x"`, 2, `${nameRule}, not "${'x'.repeat(39)}…"`],
    [
      '[limits]\nattempts = "three"',
      2,
      'limits.attempts must be a whole number from 1 to 100 (failed attempts), not "three"',
    ],
    [
      '[limits]\nattempts = 1979-05-27',
      2,
      'limits.attempts must be a whole number from 1 to 100 (failed attempts), not a date',
    ],
    [
      '[limits]\nbudget_usd = -1',
      2,
      'limits.budget_usd must be a number from 0 to 1000000 (US dollars, 0 = no limit), not -1',
    ],
    [
      '[limits]\nbudget_usd = nan',
      2,
      'limits.budget_usd must be a number from 0 to 1000000 (US dollars, 0 = no limit), not NaN',
    ],
    [
      '[limits.attempts]\nx = 1',
      1,
      'limits.attempts must be a whole number from 1 to 100 (failed attempts), not a table',
    ],
    [
      '[agents]\ndefault = "cluade"',
      2,
      'agents.default must be one of claude, codex, gemini, opencode, acp, command, model, scripted, not "cluade", did you mean "claude"?',
    ],
    [
      '[agents]\nfallback = [\n"codex",\n"x"]',
      2,
      'agents.fallback item 2 must be one of claude, codex, gemini, opencode, acp, command, model, scripted, not "x"',
    ],
    ['[agents]\nfallback = ["codex", "codex"]', 2, 'agents.fallback has "codex" twice'],
    ['[agent.codex]\nprovider = "openai"', 2, 'agent.codex.provider is only for agent.model, delete it'],
    ['[agent.claude]\nscenario = "x"', 2, 'agent.claude.scenario is only for agent.scripted, delete it'],
    ['[agent.model]\ncommand = "x"', 2, 'agent.model.command is only for agents that are a program, delete it'],
    [
      '[agent.claude]\ntimeout = 20',
      2,
      'agent.claude.timeout must be a duration such as "90s", "20m" or "1h30m", not 20',
    ],
    [
      '[agent.claude]\nenv = ["A=1"]',
      2,
      'agent.claude.env item 1 must be the name of an environment variable, not "A=1"',
    ],
    [
      '[check.unit]\ncwd = "../x"\n[checks]\nunit = "x"',
      2,
      'check.unit.cwd must be a path inside the repository, relative to its root, not "../x"',
    ],
    ['[verify]\nrequire_tests = "no"', 2, 'verify.require_tests must be true or false, not "no"'],
    [
      '[notify]\nwebhook = "hooks.example.org/SECRET"',
      2,
      'notify.webhook must be an address that starts with http:// or https://',
    ],
  ])('refuses %j', (toml, line, problem) => {
    expect(read(toml).problems).toEqual([{ where: `ralph.toml line ${line}`, line, problem }])
  })
})
