// Python: pytest, ruff and mypy where the project configures or declares them; unittest where its tests say so.
import type { ProjectFiles } from './project-files.ts'
import {
  declaredIn,
  hasToolTable,
  type PythonFiles,
  type PythonTool,
  readPythonFiles,
  section,
} from './python-files.ts'
import { pythonRunner } from './python-runner.ts'
import { type CheckKind, type Finding, found, type Stack } from './stack.ts'

const markers = ['pyproject.toml', 'setup.py', 'setup.cfg', 'requirements.txt', 'Pipfile', 'pytest.ini', 'tox.ini']

export async function detectPython(files: ProjectFiles): Promise<Stack | null> {
  const names = await files.names('.')
  const marker = markers.find((name) => names.includes(name))
  if (marker === undefined) return null
  const python = await readPythonFiles(files)
  const lines: Record<CheckKind, Line | null> = {
    typecheck: mypyLine(names, python),
    lint: ruffLine(names, python),
    unit: await testLine(files, names, python),
  }
  const tools = Object.values(lines).flatMap((line) => line?.tool ?? [])
  const runner = await pythonRunner(files, python, tools)
  const finding = (line: Line | null): Finding | null =>
    line && {
      command: line.tool === null ? `python3 -m ${line.line}` : runner.command(line.line),
      because: line.because,
    }
  return {
    name: 'python',
    because: marker,
    checks: found({ typecheck: finding(lines.typecheck), lint: finding(lines.lint), unit: finding(lines.unit) }),
    setup: runner.setup,
    notes: [],
  }
}

interface Line {
  /** The words after `python -m`. */
  readonly line: string
  /** Null: part of Python itself. */
  readonly tool: PythonTool | null
  readonly because: string
}

function mypyLine(names: readonly string[], { pyproject, setupCfg }: PythonFiles): Line | null {
  const file = names.find((name) => name === 'mypy.ini' || name === '.mypy.ini')
  const inSetupCfg = section(setupCfg, 'mypy')
  const inPyproject = section(pyproject, 'tool.mypy')
  const where = file ?? (inSetupCfg !== null ? 'setup.cfg' : inPyproject !== null ? 'pyproject.toml' : null)
  if (where === null) return null
  // If the configuration names files, mypy needs no path, and a path would replace them.
  const named = /^\s*(?:files|packages|modules)\s*=/m.test(`${inSetupCfg ?? ''}\n${inPyproject ?? ''}`)
  return { line: named ? 'mypy' : 'mypy .', tool: 'mypy', because: `${where} configures mypy` }
}

function ruffLine(names: readonly string[], { pyproject }: PythonFiles): Line | null {
  const file = names.find((name) => name === 'ruff.toml' || name === '.ruff.toml')
  const where = file ?? (hasToolTable(pyproject, 'ruff') ? 'pyproject.toml' : null)
  return where === null ? null : { line: 'ruff check .', tool: 'ruff', because: `${where} configures ruff` }
}

async function testLine(files: ProjectFiles, names: readonly string[], python: PythonFiles): Promise<Line | null> {
  const because = pytestReason(names, python)
  return because === null ? lineFromTests(files) : { line: 'pytest', tool: 'pytest', because }
}

function pytestReason(names: readonly string[], python: PythonFiles): string | null {
  if (names.includes('pytest.ini')) return 'pytest.ini'
  if (names.includes('conftest.py')) return 'conftest.py'
  if (hasToolTable(python.pyproject, 'pytest')) return 'pyproject.toml configures pytest'
  if (section(python.setupCfg, 'tool:pytest') !== null) return 'setup.cfg configures pytest'
  if (section(python.toxIni, 'pytest') !== null) return 'tox.ini configures pytest'
  if (/\bpytest\b/.test(section(python.toxIni, 'testenv') ?? '')) return 'tox.ini runs pytest'
  const declared = declaredIn(python, 'pytest')
  return declared === null ? null : `${declared} names pytest`
}

// Enough files to see a project's habit.
const TEST_FILES_READ_MAX = 20

/** Nothing names a runner: the tests themselves show it. */
async function lineFromTests(files: ProjectFiles): Promise<Line | null> {
  for (const folder of ['tests', 'test', '.']) {
    const tests = (await files.names(folder)).filter((name) => /^test_.*\.py$/.test(name))
    if (tests.length === 0) continue
    const texts = await Promise.all(tests.slice(0, TEST_FILES_READ_MAX).map((name) => files.text(`${folder}/${name}`)))
    const unittest = texts.every((text) => text !== null && /^\s*(?:import|from) unittest\b/m.test(text))
    const because = folder === '.' ? (tests[0] ?? '') : `${folder}/${tests[0]}`
    if (unittest) return { line: `unittest discover -s ${folder}`, tool: null, because: `${because} uses unittest` }
    return { line: 'pytest', tool: 'pytest', because }
  }
  return null
}
