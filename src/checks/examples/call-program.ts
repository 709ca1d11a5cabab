// The programs that make one call of an example. They stand outside of the tree, read what to call from stdin, and write
// what came out to a file of their own, so that nothing that the module prints can be taken for it. The expected value
// never reaches them.

export interface CallRequest {
  /** The root of the tree. */
  readonly folder: string
  readonly module: string
  readonly name: string
  readonly args: readonly unknown[]
  /** Where the result goes. */
  readonly result: string
  /** How the module is loaded: `require` for loaders that only know that. */
  readonly load: 'import' | 'require'
}

/** What a load failure is called that is the loader's and not the module's. */
const NODE_LOADER_ERRORS = [
  'ERR_UNKNOWN_FILE_EXTENSION',
  'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX',
  'ERR_INVALID_TYPESCRIPT_SYNTAX',
  'ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING',
  'ERR_MODULE_NOT_FOUND',
  'MODULE_NOT_FOUND',
  'ERR_UNSUPPORTED_DIR_IMPORT',
  'ERR_IMPORT_ATTRIBUTE_MISSING',
  'ERR_PACKAGE_PATH_NOT_EXPORTED',
  'ERR_REQUIRE_ESM',
  'ERR_UNKNOWN_MODULE_FORMAT',
]

export const NODE_PROGRAM = `
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
const { folder, module, name, args, result, load } = JSON.parse(readFileSync(0, 'utf8'))
writeFileSync(result, '{"is":"started"}')
const exit = process.exit.bind(process)
const stringify = JSON.stringify
const write = writeFileSync
const end = (told) => { write(result, stringify(told)); exit(0) }
const shown = (error) => { try { return error instanceof Error ? error.name + ': ' + error.message : String(error) } catch { return 'an error' } }
const loaderErrors = ${JSON.stringify(NODE_LOADER_ERRORS)}
const path = join(folder, module)
let found
try {
  found = load === 'require' ? createRequire(path)(path) : await import(pathToFileURL(path).href)
} catch (error) {
  const isLoaders = error instanceof SyntaxError || loaderErrors.includes(error?.code) || error?.name === 'TSError'
  end({ is: isLoaders ? 'unloadable' : 'broken', error: shown(error) })
}
const steps = name.split('.')
let owner
let called = found
for (const [at, step] of steps.entries()) {
  owner = called
  const inside = called?.[step]
  called = inside === undefined && at === 0 ? (owner = found?.default)?.[step] : inside
}
if (typeof called !== 'function') end({ is: 'missing', what: module + " exports no function '" + name + "'" })
let value
try {
  value = await called.apply(steps.length > 1 ? owner : undefined, args)
} catch (error) {
  end({ is: 'threw', error: shown(error) })
}
let strange = null
const plain = (inner, depth) => {
  if (depth > 200) { strange ??= 'a value that is nested too deeply'; return null }
  if (typeof inner === 'number' && !Number.isFinite(inner)) { strange ??= String(inner); return null }
  if (typeof inner === 'bigint') { strange ??= 'the BigInt ' + inner; return null }
  if (typeof inner === 'function' || typeof inner === 'symbol') { strange ??= 'a ' + typeof inner; return null }
  if (typeof inner !== 'object' || inner === null) return inner
  for (const kind of [Map, Set, WeakMap, RegExp, Error, ArrayBuffer])
    if (inner instanceof kind) { strange ??= 'a ' + kind.name; return null }
  if (typeof inner.toJSON === 'function') return inner.toJSON()
  if (Array.isArray(inner)) return Array.from(inner, (one) => plain(one === undefined ? null : one, depth + 1))
  return Object.fromEntries(Object.entries(inner).filter(([, one]) => one !== undefined).map(([key, one]) => [key, plain(one, depth + 1)]))
}
try {
  const told = plain(value === undefined ? null : value, 0)
  end(strange === null ? { is: 'returned', value: told } : { is: 'strange', what: strange })
} catch (error) {
  end({ is: 'strange', what: 'a value without a form in JSON: ' + shown(error) })
}
`

export const PYTHON_PROGRAM = `
import asyncio, importlib, importlib.util, inspect, json, math, os, sys
request = json.loads(sys.stdin.buffer.read().decode('utf-8'))
folder, module, name = request['folder'], request['module'], request['name']
_open, _dumps, _exit = open, json.dumps, os._exit
def end(told):
    with _open(request['result'], 'w', encoding='utf-8') as file:
        file.write(_dumps(told))
    _exit(0)
with _open(request['result'], 'w', encoding='utf-8') as file:
    file.write('{"is":"started"}')
def shown(error):
    return type(error).__name__ + ': ' + str(error)
parts = module[:-3].split('/')
roots = [folder]
if len(parts) > 1 and parts[0] in ('src', 'lib', 'python') and not os.path.exists(os.path.join(folder, parts[0], '__init__.py')):
    roots.insert(0, os.path.join(folder, parts[0]))
    parts = parts[1:]
sys.path[0:1] = roots
if parts[-1] == '__init__':
    parts = parts[:-1]
try:
    if parts and all(part.isidentifier() for part in parts):
        found = importlib.import_module('.'.join(parts))
    else:
        spec = importlib.util.spec_from_file_location('example_module', os.path.join(folder, module))
        found = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(found)
except (ImportError, SyntaxError) as error:
    end({'is': 'unloadable', 'error': shown(error)})
except BaseException as error:
    end({'is': 'broken', 'error': shown(error)})
called = found
for step in name.split('.'):
    called = getattr(called, step, None)
if not callable(called):
    end({'is': 'missing', 'what': module + " has no function '" + name + "'"})
try:
    value = called(*request['args'])
    if inspect.isawaitable(value):
        async def awaited(): return await value
        value = asyncio.run(awaited())
except BaseException as error:
    end({'is': 'threw', 'error': shown(error)})
class Strange(Exception): pass
def plain(inner):
    if inner is None or isinstance(inner, (bool, int, str)): return inner
    if isinstance(inner, float):
        if math.isfinite(inner): return inner
        raise Strange(str(inner))
    if isinstance(inner, (list, tuple)): return [plain(one) for one in inner]
    if isinstance(inner, dict): return {str(key): plain(one) for key, one in inner.items()}
    raise Strange('a ' + type(inner).__name__)
try:
    told = {'is': 'returned', 'value': plain(value)}
except Strange as error:
    told = {'is': 'strange', 'what': str(error)}
except BaseException as error:
    told = {'is': 'strange', 'what': 'a value without a form in JSON: ' + shown(error)}
end(told)
`
