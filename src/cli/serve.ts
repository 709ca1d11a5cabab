// `ralph serve`: the HTTP API and the live feed of some repositories, and loops for the builds that are started over it.
import { basename, resolve } from 'node:path'
import { killEverything, openServedRepository, requireOperator } from '../compose.ts'
import { refuse } from '../core/error/error.ts'
import type { ServedRepository } from '../operations/serve/served-repository.ts'
import type { Call, Command } from './command.ts'
import { checkoutOf, openBuildContext } from './run/build-context.ts'
import { onInterrupt } from './run/interrupt.ts'
import { wholeNumber } from './number.ts'
import { print, printError, printJson } from './output.ts'
import { VERSION } from './version.ts'

const HOST_DEFAULT = '127.0.0.1'
/** R, A, L and P on a telephone. */
const PORT_DEFAULT = 7257
const PORT_MAX = 65_535
const EXIT_KILLED = 130
const REPOSITORIES_MAX = 100

export const serve: Command = {
  usage: 'serve [FOLDER …] [--host HOST] [--port PORT]',
  who: 'operator',
  about:
    'Serves the HTTP API and the live feed of these repositories (default: this one), and runs the loops of the builds that\n' +
    'are started over it. Prints the address, a link that opens it in a browser once, and the token for programs. Ctrl+C\n' +
    'stops; a later serve goes on with its builds. Where other machines can reach it, it needs a token of yours in\n' +
    'RALPH_SERVE_TOKEN.',
  flags: [
    { long: 'host', takes: 'value', value: 'HOST', about: `the address to listen on; default: ${HOST_DEFAULT}` },
    { long: 'port', takes: 'value', value: 'PORT', about: `default: ${PORT_DEFAULT}; 0: any that is free` },
  ],
  wordsMax: REPOSITORIES_MAX,
  run: async (call) => {
    const host = call.flags.get('host') ?? HOST_DEFAULT
    const port = portOf(call)
    const { requireSafe, serveHttp } = await import('../http/serve.ts')
    const token = call.env['RALPH_SERVE_TOKEN'] ?? null
    requireSafe(host, token)
    const servedRepos = await openServedRepositories(call)
    const stopped = untilStopped()
    const served = await serveHttp({ servedRepos, host, port, token, version: VERSION, note })
    const repositories = servedRepos.map(({ name, root, context }) => ({
      name,
      folder: root,
      branch: context.scope.branch,
    }))
    const { address, link } = served
    if (call.wantsJson)
      printJson({ address, link, token: served.token, branch: repositories[0]?.branch ?? '', repositories })
    else print(welcome(served, repositories))
    await stopped
    printError('Stopping: agents are asked to stop, and all is saved. Ctrl+C again kills them.\n')
    await served.stop()
    for (const { context } of servedRepos) context.store.close()
  },
}

function note(sentence: string): void {
  printError(`${sentence}\n`)
}

async function openServedRepositories(call: Call): Promise<[ServedRepository, ...ServedRepository[]]> {
  const [first = call.folder, ...others] = call.words.map((word) => resolve(call.folder, word))
  const servedRepos: [ServedRepository, ...ServedRepository[]] = [await openServed({ ...call, folder: first })]
  for (const folder of others) {
    const servedRepo = await openServed({ ...call, folder })
    if (servedRepos.some((one) => isSame(one, servedRepo))) throw refuse('SERVED_TWICE', { folder })
    const isTaken = servedRepos.some(({ name }) => name === servedRepo.name)
    servedRepos.push(isTaken ? { ...servedRepo, name: servedRepo.root } : servedRepo)
  }
  return servedRepos
}

function isSame(one: ServedRepository, other: ServedRepository): boolean {
  return one.root === other.root
}

export async function openServed(call: Call): Promise<ServedRepository> {
  await requireOperator(call.folder, call.env, 'ralph serve')
  const own = await openBuildContext(call)
  const context = { ...own, person: `${own.person} over HTTP` }
  const root = checkoutOf(call)
  // Sessions of agents must not see the token.
  const { RALPH_SERVE_TOKEN: _, ...env } = call.env
  return openServedRepository({ context, root, env, name: basename(root), note })
}

function portOf({ flags }: Call): number {
  const named = flags.get('port')
  return named === undefined ? PORT_DEFAULT : wholeNumber(named, { bad: 'PORT_BAD', flag: '--port', max: PORT_MAX })
}

type Repository = Readonly<Record<'name' | 'folder' | 'branch', string>>

function welcome(
  { address, link, token }: Readonly<Record<'address' | 'link' | 'token', string>>,
  repositories: readonly Repository[],
) {
  const [only, ...others] = repositories.map(({ folder, branch }) => `${folder} (branch ${branch})`)
  const what = others.length === 0 ? `${only}` : `${repositories.length} repositories`
  return [
    `Serving ${what} at ${address}`,
    ...(others.length === 0
      ? []
      : repositories.map(({ name, folder, branch }) => `  ${name}: ${folder} (branch ${branch})`)),
    `In a browser, once: ${link}`,
    `For programs:       Authorization: Bearer ${token}`,
    '',
  ].join('\n')
}

function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    const kill = (): void => {
      printError('Killed.\n')
      void killEverything().finally(() => process.exit(EXIT_KILLED))
    }
    onInterrupt({ stop: resolve, kill })
  })
}
