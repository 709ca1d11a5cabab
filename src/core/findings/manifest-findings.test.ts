import { describe, expect, it } from 'vitest'
import { asJudgedOnBase } from './manifest-findings.ts'

describe('a manifest as the base would judge by it', () => {
  it('keeps what the project is and takes back what judges it', () => {
    const base = '{"name": "a", "scripts": {"test": "node --test"}, "jest": {"bail": false}, "dependencies": {}}'
    const now = '{"name": "b", "scripts": {"test": "exit 0", "x": "y"}, "vitest": {}, "dependencies": {"c": "1"}}'
    expect(JSON.parse(asJudgedOnBase('package.json', { base, now }) ?? '')).toEqual({
      name: 'b',
      dependencies: { c: '1' },
      scripts: { test: 'node --test' },
      jest: { bail: false },
    })
  })

  it('does so by sections, too', () => {
    const base = '[project]\nname = "a"\n\n[tool.pytest.ini_options]\naddopts = ""\n'
    const now = '[tool.pytest.ini_options]\naddopts = "-k none"\n[project]\nname = "b"\n[tool.ruff]\nignore = ["ALL"]\n'
    expect(asJudgedOnBase('pyproject.toml', { base, now })?.replaceAll(/\n+/g, '\n')).toBe(
      '[project]\nname = "b"\n[tool.pytest.ini_options]\naddopts = ""\n',
    )
  })

  it('leaves out what a new one sets for a runner, and keeps what the project is', () => {
    const now = '{"name": "b", "scripts": {"test": "jest"}, "jest": {"testMatch": []}}'
    expect(JSON.parse(asJudgedOnBase('package.json', { base: null, now }) ?? '')).toEqual({
      name: 'b',
      scripts: { test: 'jest' },
    })
    const sections = '[metadata]\nname = b\n[tool:pytest]\naddopts = -k none\n'
    expect(asJudgedOnBase('setup.cfg', { base: null, now: sections })).toBe('[metadata]\nname = b\n')
  })

  it.each([
    ['a new one that cannot be read', { base: null, now: '[]' }],
    ['a deleted one', { base: '{}', now: null }],
    ['one that cannot be read', { base: '{}', now: '{' }],
    ['a list', { base: '[]', now: '{}' }],
  ])('makes nothing of %s', (_, versions) => {
    expect(asJudgedOnBase('package.json', versions)).toBeNull()
  })
})
