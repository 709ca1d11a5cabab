// Whether an example holds for a tree: the corpus proves its own examples by it. What Ralph makes of them is Ralph's.
import { isDeepStrictEqual } from 'node:util'
import type { Place } from './commands.ts'
import { runWords } from './commands.ts'
import type { Runner, SealedExample } from './corpus.ts'

const IN_NODE = `const [module, name, args] = JSON.parse(process.argv[1])
const found = await import(require('node:path').resolve(module))
const call = found[name] ?? found.default?.[name]
console.log('\\n' + JSON.stringify({ value: await call(...args) }))`

const IN_PYTHON = `import importlib, json, sys
module, name, args = json.loads(sys.argv[1])
sys.path.insert(0, '.')
found = importlib.import_module(module.removesuffix('.py').replace('/', '.'))
print('\\n' + json.dumps({'value': getattr(found, name)(*args)}))`

export async function holds({ command, call }: SealedExample, runner: Runner, place: Place): Promise<boolean> {
  if (command !== undefined) {
    const ended = await runWords(command.argv, { ...place, input: command.stdin ?? '' })
    if (ended.code !== (command.exit ?? 0)) return false
    if (command.stdout !== undefined && ended.stdout !== command.stdout) return false
    return command.json === undefined || isDeepStrictEqual(at(ended.stdout, command.json.path), command.json.equals)
  }
  if (call === undefined) return false
  const words = JSON.stringify([call.module, call.name, call.args])
  const program =
    runner === 'pytest'
      ? ['python3', '-c', IN_PYTHON, words]
      : ['node', '--input-type=commonjs', '-e', `(async () => { ${IN_NODE} })()`, words]
  const { code, stdout } = await runWords(program, place)
  if (code !== 0) return false
  const { value } = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as { value: unknown }
  return isDeepStrictEqual(value, call.returns)
}

/** `$.a.0.b` */
function at(text: string, path: string): unknown {
  return path
    .split('.')
    .slice(1)
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], JSON.parse(text))
}
