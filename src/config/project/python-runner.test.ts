import { describe, expect, it } from 'vitest'
import { madeFolder } from '../../../test/rig/folder.ts'
import { projectFiles } from './project-files.ts'
import { readPythonFiles } from './python-files.ts'
import { pythonRunner } from './python-runner.ts'

const venv = "python3 -m venv .venv && echo '*' > .venv/.gitignore && .venv/bin/pip install"
const buildSystem = '[build-system]\nrequires = []\n'

describe('pythonRunner', () => {
  it.each<[Record<string, string>, string, string | null, string | null]>([
    [{ 'uv.lock': '' }, 'uv run --no-sync pytest', 'uv sync --frozen', 'uv.lock'],
    [{ 'poetry.lock': '' }, 'poetry run pytest', 'poetry install', 'poetry.lock'],
    [{ 'pyproject.toml': '[tool.poetry]' }, 'poetry run pytest', 'poetry install', 'pyproject.toml, tool.poetry'],
    [{ 'pdm.lock': '' }, 'pdm run pytest', 'pdm sync', 'pdm.lock'],
    [{ 'Pipfile.lock': '' }, 'pipenv run pytest', 'pipenv sync --dev', 'Pipfile.lock'],
    [
      { 'requirements.txt': 'flask', 'requirements-dev.txt': 'pytest' },
      '.venv/bin/python -m pytest',
      `${venv} -r requirements.txt -r requirements-dev.txt ruff`,
      'requirements.txt, requirements-dev.txt',
    ],
    [
      { 'pyproject.toml': `${buildSystem}[project.optional-dependencies]\ntest = ["pytest"]\nother = []\n` },
      '.venv/bin/python -m pytest',
      `${venv} -e '.[test]' ruff`,
      'pyproject.toml',
    ],
    [{ 'setup.py': '' }, '.venv/bin/python -m pytest', `${venv} -e . pytest ruff`, 'setup.py'],
    [{ 'pyproject.toml': '[tool.ruff]' }, 'python3 -m pytest', null, null],
  ])('%j', async (content, command, setup, because) => {
    const files = projectFiles(await madeFolder(content))
    const runner = await pythonRunner(files, await readPythonFiles(files), ['pytest', 'ruff'])
    expect(runner.command('pytest')).toBe(command)
    expect(runner.setup).toEqual(setup === null ? null : { command: setup, because })
  })
})
