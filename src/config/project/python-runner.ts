// Who runs a Python project's tools, and what makes them runnable in a fresh workspace.
import type { ProjectFiles } from './project-files.ts'
import { declaredIn, hasToolTable, type PythonFiles, type PythonTool, section } from './python-files.ts'
import type { Finding } from './stack.ts'

export interface PythonRunner {
  readonly command: (line: string) => string
  readonly setup: Finding | null
}

/** `tools`: the checks' tools; those that the project does not declare are installed with it. */
export async function pythonRunner(
  files: ProjectFiles,
  python: PythonFiles,
  tools: readonly PythonTool[],
): Promise<PythonRunner> {
  // Without --no-sync, uv would use the network, which checks do not have.
  if (await files.has('uv.lock')) return managedRunner('uv run --no-sync', 'uv sync --frozen', 'uv.lock')
  if (await files.has('poetry.lock')) return managedRunner('poetry run', 'poetry install', 'poetry.lock')
  if (await files.has('pdm.lock')) return managedRunner('pdm run', 'pdm sync', 'pdm.lock')
  if (await files.has('Pipfile.lock')) return managedRunner('pipenv run', 'pipenv sync --dev', 'Pipfile.lock')
  if (hasToolTable(python.pyproject, 'poetry'))
    return managedRunner('poetry run', 'poetry install', 'pyproject.toml, tool.poetry')
  return pip(python, await isInstallable(files, python), tools)
}

function managedRunner(run: string, setup: string, because: string): PythonRunner {
  return { command: (line) => `${run} ${line}`, setup: { command: setup, because } }
}

/** On most machines pip refuses to install into the system's Python, so the workspace gets its own environment. */
function pip(python: PythonFiles, installable: string | null, tools: readonly PythonTool[]): PythonRunner {
  const sources = python.requirements.map(({ name }) => name)
  const wanted = [
    ...sources.map((name) => `-r ${name}`),
    ...(installable === null ? [] : [`-e ${packageWithExtras(python.pyproject)}`]),
  ]
  if (wanted.length === 0) return { command: (line) => `python3 -m ${line}`, setup: null }
  const missing = tools.filter((tool) => declaredIn(python, tool) === null)
  const steps = [
    'python3 -m venv .venv',
    // Keeps the environment out of every patch, even where the project does not ignore it.
    "echo '*' > .venv/.gitignore",
    `.venv/bin/pip install ${[...wanted, ...missing].join(' ')}`,
  ]
  const because = [...sources, ...(installable === null ? [] : [installable])].join(', ')
  return { command: (line) => `.venv/bin/python -m ${line}`, setup: { command: steps.join(' && '), because } }
}

/** The file from which pip can install the project itself. */
async function isInstallable(files: ProjectFiles, { pyproject }: PythonFiles): Promise<string | null> {
  if (section(pyproject, 'build-system') !== null) return 'pyproject.toml'
  return (await files.has('setup.py')) ? 'setup.py' : null
}

/** `.`, or `'.[dev]'` where the project names what its tests need. */
function packageWithExtras(pyproject: string): string {
  const extras = section(pyproject, 'project.optional-dependencies') ?? ''
  const named = ['test', 'tests', 'testing', 'dev'].filter((name) => new RegExp(`^${name}\\s*=`, 'm').test(extras))
  return named.length === 0 ? '.' : `'.[${named.join(',')}]'`
}
