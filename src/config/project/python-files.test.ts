import { describe, expect, it } from 'vitest'
import { madeFolder } from '../../../test/rig/folder.ts'
import { projectFiles } from './project-files.ts'
import { declaredIn, hasToolTable, readPythonFiles, section } from './python-files.ts'

describe('section', () => {
  it.each([
    ['[a]\nx = 1\n[b]\ny = 2', 'a', '\nx = 1\n'],
    ['[a] # c\nx = ["b"]\nz = [\n  "c"\n]\n', 'a', '\nx = ["b"]\nz = [\n  "c"\n]\n'],
    ['[tool:pytest]\nx = 1', 'tool:pytest', '\nx = 1'],
    ['[axb]\nx = 1', 'a.b', null],
    ['# [a]\nx = 1', 'a', null],
    ['', 'a', null],
  ])('%j has in [%s] %j', (text, name, body) => {
    expect(section(text, name)).toBe(body)
  })
})

describe('hasToolTable', () => {
  it.each([
    ['[tool.ruff]', true],
    ['x = 1\n[tool.ruff.lint]', true],
    ['[[tool.ruff.x]]', true],
    ['[tool.ruffian]', false],
    ['# [tool.ruff]', false],
  ])('%j: %s', (text, has) => {
    expect(hasToolTable(text, 'ruff')).toBe(has)
  })
})

describe('declaredIn', () => {
  it.each<[Record<string, string>, string | null]>([
    [{ 'requirements.txt': 'flask\npytest==8.0\n' }, 'requirements.txt'],
    [{ 'requirements-dev.txt': 'pytest' }, 'requirements-dev.txt'],
    [{ 'requirements.txt': 'pytest-cov\n# pytest\n' }, null],
    [{ 'pyproject.toml': '[dependency-groups]\ndev = ["pytest>=8", "x"]' }, 'pyproject.toml'],
    [{ 'pyproject.toml': '[tool.poetry.dev-dependencies]\npytest = "^8"' }, 'pyproject.toml'],
    [{ 'pyproject.toml': 'dependencies = ["pytest-cov"]' }, null],
    [{}, null],
  ])('pytest in %j: %s', async (files, where) => {
    const python = await readPythonFiles(projectFiles(await madeFolder(files)))
    expect(declaredIn(python, 'pytest')).toBe(where)
  })
})
