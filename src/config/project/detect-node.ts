// Node: package.json names the commands, the lockfile decides who runs them.
import { type PackageTool, packageToolOf } from './package-tool.ts'
import type { ProjectFiles } from './project-files.ts'
import { type Finding, found, type Stack } from './stack.ts'

interface PackageJson {
  readonly scripts: Readonly<Record<string, string>>
  readonly dependencies: readonly string[]
  readonly packageManager: string | null
}

export async function detectNode(files: ProjectFiles): Promise<Stack | null> {
  const text = await files.text('package.json')
  if (text === null) return null
  const manifest = parseManifest(text)
  const about = { name: 'node', because: 'package.json' } as const
  if (manifest === null) return { ...about, checks: {}, setup: null, notes: ['package.json is not a JSON object'] }
  const tool = await packageToolOf(files, manifest.packageManager)
  const test = testCheck(manifest, tool)
  const lint = lintCheck(manifest, tool)
  return {
    ...about,
    checks: found({
      typecheck: await typecheckCheck(files, manifest, tool),
      lint: lint.finding,
      unit: test.finding,
    }),
    setup: setupOf(manifest, tool),
    notes: [...lint.notes, ...test.notes],
  }
}

function parseManifest(text: string): PackageJson | null {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return null
  }
  if (!isRecord(value)) return null
  const scripts = Object.entries(isRecord(value['scripts']) ? value['scripts'] : {})
  return {
    scripts: Object.fromEntries(scripts.filter((entry): entry is [string, string] => typeof entry[1] === 'string')),
    dependencies: ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((kind) =>
      Object.keys(isRecord(value[kind]) ? value[kind] : {}),
    ),
    packageManager: typeof value['packageManager'] === 'string' ? value['packageManager'] : null,
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

interface Search {
  readonly finding: Finding | null
  readonly notes: readonly string[]
}

/** The first script of these names without an objection. */
function script(
  { scripts }: PackageJson,
  tool: PackageTool,
  names: readonly string[],
  objection: (body: string) => string | null,
): Search {
  const notes: string[] = []
  for (const name of names) {
    const body = Object.hasOwn(scripts, name) ? scripts[name] : undefined
    if (body === undefined) continue
    const against = objection(body)
    if (against === null) return { finding: { command: tool.run(name), because: scriptSeen(name) }, notes }
    notes.push(`package.json: script "${name}" not taken, ${against}`)
  }
  return { finding: null, notes }
}

function scriptSeen(name: string): string {
  return `package.json has a script "${name}"`
}

function testCheck(manifest: PackageJson, tool: PackageTool): Search {
  const search = script(manifest, tool, ['test', 'test:unit', 'unit'], (body) => {
    if (/no test specified/i.test(body)) return 'it is the placeholder that npm init writes'
    return cannotFail(body) ? 'it cannot fail' : null
  })
  if (search.finding !== null) return search
  const runner = (['vitest', 'jest'] as const).find((name) => manifest.dependencies.includes(name))
  if (runner === undefined) return search
  const command = tool.exec(runner === 'vitest' ? 'vitest run' : 'jest')
  return { ...search, finding: { command, because: `package.json depends on ${runner}` } }
}

/** `true`, `exit 0`, `echo …` and nothing else: green whatever the code does. */
function cannotFail(body: string): boolean {
  return /^\s*(?:true|:|exit 0|echo\b[^;&|]*)?\s*$/.test(body)
}

function lintCheck(manifest: PackageJson, tool: PackageTool): Search {
  return script(manifest, tool, ['lint', 'lint:check', 'lint:ci'], (body) => {
    if (/\s--(?:fix|write)\b/.test(body)) return 'it changes files'
    return cannotFail(body) ? 'it cannot fail' : null
  })
}

const typecheckNames = ['typecheck', 'type-check', 'check-types', 'check:types', 'types:check', 'tsc']

async function typecheckCheck(files: ProjectFiles, manifest: PackageJson, tool: PackageTool): Promise<Finding | null> {
  const { finding } = script(manifest, tool, typecheckNames, (body) => (cannotFail(body) ? 'it cannot fail' : null))
  if (finding !== null || !manifest.dependencies.includes('typescript')) return finding
  const tsconfig = await files.text('tsconfig.json')
  if (tsconfig === null) return null
  // A tsconfig with references only has no files: without -b, tsc would check nothing and be green.
  const onlyReferences = /"references"\s*:/.test(tsconfig) && /"files"\s*:\s*\[\s*\]/.test(tsconfig)
  const command = tool.exec(onlyReferences ? 'tsc -b --noEmit' : 'tsc --noEmit')
  return { command, because: 'package.json depends on typescript, and there is a tsconfig.json' }
}

function setupOf(manifest: PackageJson, tool: PackageTool): Finding | null {
  if (tool.lockfile !== null) return { command: tool.frozenInstall, because: tool.lockfile }
  if (manifest.dependencies.length === 0) return null
  return { command: tool.install, because: 'package.json has dependencies and no lockfile' }
}
