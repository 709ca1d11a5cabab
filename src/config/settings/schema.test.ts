import { describe, expect, it } from 'vitest'
import { allKeys } from './layer.ts'
import { readValue, type Rule } from './rule.ts'
import { checkCommand, checkKeys, fixedSections, isKey } from './schema.ts'

/** How a default would be written in the file. */
function asWritten(rule: Rule, value: unknown): unknown {
  if (value === null && rule.kind === 'line') return ''
  return rule.kind === 'duration' ? `${value}ms`.replace(/000ms$/, 's') : value
}

describe('the schema', () => {
  it('has a default for every key that its own rule takes', () => {
    const named = [...allKeys].map(([name, { key }]) => ({ name, key }))
    const details = Object.entries(checkKeys).map(([name, key]) => ({ name: `check.NAME.${name}`, key }))
    // A command that must be given and a provider that has no meaning have no value that could be written.
    const writable = [...named, ...details].filter(({ key }) => key.default !== null || key.rule.kind === 'line')
    const unfit = writable.filter(({ key }) => {
      const reading = readValue(key.rule, asWritten(key.rule, key.default))
      return !('value' in reading) || JSON.stringify(reading.value) !== JSON.stringify(key.default)
    })
    expect(unfit).toEqual([])
    expect(writable.length).toBeGreaterThan(80)
  })

  it('has every key of the documented file', () => {
    const sections = Object.entries(fixedSections).filter(([name]) => name !== 'agent')
    const documented = sections.map(([name, group]) => `${name}: ${Object.keys(group).join(' ')}`)
    expect(documented).toEqual([
      'agents: default planner implementer reviewer sia fallback',
      'verify: require_tests',
      'limits: attempts interventions iterations max_iterations tasks_per_plan files_per_patch workers budget_usd budget_tokens',
      'review: when',
      'evidence: share accept names untouched stable witness sabotage base_judge sealed plain',
      'sealed: file',
      'protect: paths',
      'sandbox: mode network',
      'workspace: setup install_scripts copy',
      'ship: base deploy',
      'notify: webhook command',
    ])
    const agents = Object.entries(fixedSections.agent).map(
      ([name, group]) => `${name}: ${Object.keys(group).join(' ')}`,
    )
    const keys =
      'command model timeout idle_timeout args env credentials provider base_url key_variable max_output_tokens input_price output_price tools scenario'
    const names = ['claude', 'codex', 'gemini', 'opencode', 'acp', 'command', 'model', 'scripted']
    expect(agents).toEqual(names.map((name) => `${name}: ${keys}`))
  })

  it('tells a key from a table of checks with the same names as its parts', () => {
    expect(isKey(checkCommand)).toBe(true)
    expect(isKey({ rule: checkCommand, default: checkCommand })).toBe(false)
    expect(isKey({ rule: checkKeys })).toBe(false)
  })
})
