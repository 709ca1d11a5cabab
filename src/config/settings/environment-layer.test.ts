import { describe, expect, it } from 'vitest'
import { readEnvironmentLayer } from './environment-layer.ts'
import { allKeys } from './layer.ts'

describe('readEnvironmentLayer', () => {
  it.each([
    ['RALPH_LIMITS_ATTEMPTS', '7', 'limits.attempts', 7],
    ['RALPH_LIMITS_BUDGET_USD', '2.50', 'limits.budget_usd', 2.5],
    ['RALPH_AGENTS_DEFAULT', 'codex', 'agents.default', 'codex'],
    ['RALPH_VERIFY_REQUIRE_TESTS', 'false', 'verify.require_tests', false],
    ['RALPH_SANDBOX_NETWORK_CHECKS', '1', 'sandbox.network.checks', true],
    ['RALPH_SHIP_DEPLOY', '', 'ship.deploy', null],
    ['RALPH_WORKSPACE_SETUP', 'make', 'workspace.setup', 'make'],
  ])('%s=%s', (name, text, key, value) => {
    const { given, problems } = readEnvironmentLayer({ [name]: text })
    expect(problems).toEqual([])
    expect([...given].map(([one, { value: read, origin }]) => [one, read, origin])).toEqual([
      [key, value, `environment ${name}`],
    ])
  })

  it('leaves alone what is no setting, and what is empty', () => {
    const env = {
      RALPH_AGENT_ID: 'a1b2',
      RALPH_AGENT_CLAUDE_MODEL: 'x',
      RALPH_DATABASE_URL: 'sqlite:/x',
      RALPH_DB_URL: 'sqlite:/x',
      RALPH_SCOPE_REPO: 'x',
      RALPH_SCOPE_BRANCH: 'x',
      RALPH_SOCKET: '/x',
      RALPH_CHECK_NAME: 'unit',
      RALPH_WORKSPACE: '/x',
      RALPH_LIMITS_ATTEMPTS: '',
      RALPH_SHIP_BASE: undefined,
      LIMITS_ATTEMPTS: 'x',
      ralph_limits_atempts: 'x',
    }
    expect(readEnvironmentLayer(env)).toEqual({ given: new Map(), problems: [] })
  })

  it.each([
    ['RALPH_LIMITS_ATEMPTS', '3', 'unknown setting, did you mean RALPH_LIMITS_ATTEMPTS?'],
    ['RALPH_REVIEW_COLOUR', 'x', 'unknown setting, known: RALPH_REVIEW_WHEN'],
    ['RALPH_SANDBOX_NETWORK', 'x', 'unknown setting, did you mean RALPH_SANDBOX_NETWORK_AGENT?'],
    ['RALPH_CHECKS_UNIT', 'npm test', 'give checks and validators in ralph.toml instead'],
    ['RALPH_AGENTS_FALLBACK', 'codex', 'agents.fallback is a list, give it in ralph.toml instead'],
    ['RALPH_LIMITS_ATTEMPTS', 'x', 'limits.attempts must be a whole number from 1 to 100 (failed attempts), not "x"'],
    ['RALPH_VERIFY_REQUIRE_TESTS', 'no', 'verify.require_tests must be true or false, not "no"'],
  ])('refuses %s=%s', (name, text, problem) => {
    const { given, problems } = readEnvironmentLayer({ [name]: text })
    expect([...given]).toEqual([])
    expect(problems).toEqual([{ where: `environment ${name}`, line: Number.POSITIVE_INFINITY, problem }])
  })

  it('has one variable per key', () => {
    const names = [...allKeys.values()].map(({ path }) => path.join('_').toUpperCase())
    expect(new Set(names).size).toBe(names.length)
  })
})
