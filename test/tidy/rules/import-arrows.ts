// Which folders may import which. The table lists the imports of every folder of src/ and web/; a folder that is not in
// the table may import nothing, so a new folder is a decision and not a habit.
import { isBuiltin } from 'node:module'
import { posix } from 'node:path'
import { type Import, importsOf } from '../imports.ts'
import { type SourceFile, type Violation, isProduct, violation } from '../source.ts'

const ports: Readonly<Record<string, string>> = {
  agents: 'src/agents/agent.ts',
  checks: 'src/checks/check.ts',
  notify: 'src/notify/notify.ts',
  sandbox: 'src/sandbox/sandbox.ts',
  socket: 'src/socket/socket.ts',
  store: 'src/store/store.ts',
  syntax: 'src/syntax/syntax.ts',
  workspace: 'src/workspace/workspace.ts',
}
const rooms = [...Object.keys(ports), 'prompts']
/** Rooms whose folders are adapters that do not see each other; in the others a folder only groups files. */
const adapters = new Set(['agents', 'sandbox', 'store', 'workspace', 'prompts'])
const allPorts = Object.keys(ports).map((room) => `port of ${room}`)
const allRooms = rooms.flatMap((room) => [room, `port of ${room}`, `${room}/*`])
const outside = ['node', 'packages']
const inner = ['engine', 'operations', 'operations/contract']
const face = ['core', 'config', 'operations', 'operations/contract', 'compose', 'package.json', ...outside]

const sees: Readonly<Record<string, readonly string[]>> = {
  core: ['core'],
  system: ['core', 'system', 'node'],
  prompts: ['core', 'system', 'prompts', 'prompts/*', ...outside],
  'prompts/*': ['core', 'system', 'prompts', 'prompts/*', ...outside],
  config: ['core', 'system', 'config', ...outside],
  engine: ['core', 'engine', ...allPorts, 'prompts', 'prompts/*', 'types of config', ...outside],
  operations: ['core', 'engine', ...allPorts, 'config', 'system', 'operations', 'operations/contract', ...outside],
  // The browser loads it too.
  'operations/contract': ['core', 'operations/contract', 'packages'],
  // The command line is also what starts the other faces.
  cli: [...face, 'cli', 'http', 'mcp'],
  http: [...face, 'http'],
  mcp: [...face, 'mcp'],
  compose: ['core', 'system', 'config', ...inner, ...allRooms, 'package.json', ...outside],
  // A way in for other programs: a face whose words are exports.
  library: [...face, 'library'],
  index: ['core', 'operations', 'operations/contract', 'compose', 'library'],
  // Of the contract only what costs a browser nothing: types, and the client that loads no more than a list of paths.
  web: ['core', 'types of operations/contract', 'client of operations/contract', 'web', 'packages'],
  ...Object.fromEntries(Object.keys(ports).flatMap((room) => roomSees(room))),
}

function roomSees(room: string): [place: string, sees: string[]][] {
  return [
    [`port of ${room}`, ['core', 'system', room, ...outside]],
    [room, ['core', 'system', room, `port of ${room}`, `${room}/*`, ...outside]],
    // `./` is the adapter's own folder: adapters do not see each other.
    [`${room}/*`, ['core', 'system', `port of ${room}`, './', `shared by ${room}`, ...outside]],
    // What the adapters of a room have in common; it knows none of them.
    [`shared by ${room}`, ['core', 'system', `port of ${room}`, './', ...outside]],
  ]
}

export function importArrows(files: readonly SourceFile[]): Violation[] {
  return files.filter(isProduct).flatMap((file) => {
    const place = placeOf(file.path)
    const allowed = sees[place]
    if (allowed === undefined)
      return [violation(file, 0, `${place} has no place in the shape; move the file, or give it arrows in this rule`)]
    return importsOf(file).flatMap((found) => {
      const sentence = problem(file.path, found, allowed)
      return sentence === null ? [] : [violation(file, found.offset, sentence)]
    })
  })
}

function problem(path: string, { specifier, kind }: Import, allowed: readonly string[]): string | null {
  if (specifier === null) return 'a computed import cannot be followed; write the path as a plain string'
  const target = fileOf(path, specifier)
  const seen = target === null ? [isBuiltin(specifier) ? 'node' : 'packages'] : placesOf(path, target, kind)
  if (seen.some((one) => allowed.includes(one))) return null
  return `${placeOf(path)} may not import ${target ?? specifier}; it sees only ${allowed.join(', ')}`
}

/** From the root; null where another package or a part of Node is meant. */
function fileOf(path: string, specifier: string): string | null {
  if (specifier === 'ralph-runtime') return 'src/index.ts'
  if (specifier.startsWith('/')) return specifier
  return specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier.replace(/\?.*$/, '')) : null
}

function placesOf(path: string, target: string, kind: Import['kind']): string[] {
  const place = placeOf(target)
  const isFolder = place.endsWith('/*') || place.startsWith('shared by ')
  const own = isFolder && folderOf(path) === folderOf(target) ? ['./'] : []
  const client = /^src\/operations\/contract\/(calls|client|client-feed)\.ts$/.test(target)
    ? [`client of ${place}`]
    : []
  return [place, ...own, ...client, ...(kind === 'type' ? [`types of ${place}`] : [])]
}

/** `src/store/sqlite` of `src/store/sqlite/claim/claim.ts`. */
function folderOf(path: string): string {
  return path.split('/').slice(0, 3).join('/')
}

function placeOf(path: string): string {
  if (path === 'package.json') return 'package.json'
  if (path === 'src/compose.ts') return 'compose'
  if (path === 'src/index.ts') return 'index'
  if (path.startsWith('src/web/')) return 'web'
  if (path.startsWith('src/operations/contract/')) return 'operations/contract'
  const [, folder, ...rest] = path.split('/')
  if (!path.startsWith('src/') || folder === undefined || rest.length === 0) return path
  if (ports[folder] === path) return `port of ${folder}`
  if (folder === 'agents' && rest[0] === 'shared') return 'shared by agents'
  return adapters.has(folder) && rest.length > 1 ? `${folder}/*` : folder
}
