import { describe, expect, it } from 'vitest'
import { detectPython } from './detect-python.ts'
import { madeFolder } from '../../../test/rig/folder.ts'
import { projectFiles } from './project-files.ts'

async function checksOf(files: Record<string, string>): Promise<unknown> {
  return (await detectPython(projectFiles(await madeFolder(files))))?.checks
}

const pytest = (because: string): object => ({ unit: { command: 'python3 -m pytest', because } })

describe('detectPython', () => {
  it('takes what pyproject.toml configures', async () => {
    const pyproject = '[project]\nname = "x"\n[tool.pytest.ini_options]\n[tool.ruff]\n[tool.mypy]\nstrict = true\n'
    const folder = await madeFolder({ 'pyproject.toml': pyproject, 'uv.lock': '' })
    expect(await detectPython(projectFiles(folder))).toEqual({
      name: 'python',
      because: 'pyproject.toml',
      checks: {
        typecheck: { command: 'uv run --no-sync mypy .', because: 'pyproject.toml configures mypy' },
        lint: { command: 'uv run --no-sync ruff check .', because: 'pyproject.toml configures ruff' },
        unit: { command: 'uv run --no-sync pytest', because: 'pyproject.toml configures pytest' },
      },
      setup: { command: 'uv sync --frozen', because: 'uv.lock' },
      notes: [],
    })
  })

  it.each<[Record<string, string>, object]>([
    [{ 'pytest.ini': '' }, pytest('pytest.ini')],
    [{ 'setup.cfg': '[tool:pytest]' }, pytest('setup.cfg configures pytest')],
    [{ 'tox.ini': '[pytest]' }, pytest('tox.ini configures pytest')],
    [{ 'tox.ini': '[testenv]\ncommands = pytest {posargs}' }, pytest('tox.ini runs pytest')],
    [{ 'setup.cfg': '', 'conftest.py': '' }, pytest('conftest.py')],
    [{ 'pyproject.toml': 'dev = ["pytest"]' }, pytest('pyproject.toml names pytest')],
    [{ 'setup.cfg': '', 'tests/test_a.py': 'def test_a(): ...' }, pytest('tests/test_a.py')],
    [
      { 'setup.cfg': '', 'test_a.py': 'import unittest\nimport pytest' },
      {
        unit: { command: 'python3 -m unittest discover -s .', because: 'test_a.py uses unittest' },
      },
    ],
    [
      { 'setup.cfg': '', 'test/test_a.py': 'from unittest import TestCase' },
      {
        unit: { command: 'python3 -m unittest discover -s test', because: 'test/test_a.py uses unittest' },
      },
    ],
    [{ 'tox.ini': '[testenv]\ncommands = x' }, {}],
    [
      { 'setup.cfg': '[mypy]\nfiles = src' },
      { typecheck: { command: 'python3 -m mypy', because: 'setup.cfg configures mypy' } },
    ],
    [
      { 'tox.ini': '', 'mypy.ini': '' },
      { typecheck: { command: 'python3 -m mypy .', because: 'mypy.ini configures mypy' } },
    ],
    [
      { 'tox.ini': '', 'ruff.toml': '' },
      { lint: { command: 'python3 -m ruff check .', because: 'ruff.toml configures ruff' } },
    ],
  ])('%j', async (files, checks) => {
    expect(await checksOf(files)).toEqual(checks)
  })

  it('is null where nothing says Python', async () => {
    expect(await detectPython(projectFiles(await madeFolder({ 'script.py': '', 'ruff.toml': '' })))).toBeNull()
  })
})
