// `ralph serve`: the HTTP API and the live feed of this repository, and loops for the builds that are started over it.
import { killEverything, openNotifying, openShop, openWorkspaces, type WorkedAt } from '../compose.ts'
import type { Config } from '../config/config.ts'
import type { Call, Command } from './command.ts'
import { checkoutOf, openBuildDesk } from './build/desk.ts'
import { onInterrupt } from './build/interrupt.ts'
import { wholeNumber } from './number.ts'
import { print, printError, printJson } from './output.ts'
import { VERSION } from './version.ts'

const HOST_DEFAULT = '127.0.0.1'
/** R, A, L and P on a telephone. */
const PORT_DEFAULT = 7257
const PORT_MAX = 65_535
const EXIT_KILLED = 130

export const serve: Command = {
  usage: 'serve [--host HOST] [--port PORT]',
  about:
    'Serves the HTTP API and the live feed of this repository, and runs the loops of the builds that are started over it.\n' +
    'Prints the address, a link that opens it in a browser once, and the token for programs. Ctrl+C stops; a later serve\n' +
    'goes on with its builds. Where other machines can reach it, it needs a token of yours in RALPH_SERVE_TOKEN.',
  flags: [
    { long: 'host', takes: 'value', value: 'HOST', about: `the address to listen on; default: ${HOST_DEFAULT}` },
    { long: 'port', takes: 'value', value: 'PORT', about: `default: ${PORT_DEFAULT}; 0: any that is free` },
  ],
  wordsMax: 0,
  run: async (call) => {
    const host = call.flags.get('host') ?? HOST_DEFAULT
    const port = portOf(call)
    const { requireSafe, serveHttp } = await import('../http/serve.ts')
    requireSafe(host, call.env['RALPH_SERVE_TOKEN'] ?? null)
    const desk = await openBuildDesk(call)
    const { branch, repo } = desk.scope
    // The branch that is checked out now stays the one that is served; the token is nobody's who works here.
    const { RALPH_SERVE_TOKEN: token, ...rest } = call.env
    const env = { ...rest, RALPH_SCOPE_BRANCH: branch, RALPH_SCOPE_REPO: repo }
    const root = checkoutOf(call)
    const isolated = once(() => openWorkspaces(root, env))
    const watcher = { fact: () => {}, agent: () => {} }
    const site = {
      desk,
      root,
      env,
      openShop: (config: Config, at?: WorkedAt) => openShop(root, env, config, watcher, at),
      openNotifying: (config: Config) => openNotifying(root, env, config),
      openWorkspaces: (at: WorkedAt) => (at.where === 'isolated' ? isolated() : openWorkspaces(root, env, [], at)),
      remark: (sentence: string) => printError(`${sentence}\n`),
    }
    const stopped = untilStopped()
    const served = await serveHttp({ site, host, port, token: token ?? null, version: VERSION })
    const { address, link } = served
    if (call.wantsJson) printJson({ address, link, token: served.token, branch })
    else print(welcome(served, root, branch))
    await stopped
    printError('Stopping: agents are asked to stop, and all is saved. Ctrl+C again kills them.\n')
    await served.stop()
    desk.store.close()
  },
}

function portOf({ flags }: Call): number {
  const named = flags.get('port')
  return named === undefined ? PORT_DEFAULT : wholeNumber(named, { bad: 'PORT_BAD', flag: '--port', max: PORT_MAX })
}

function welcome(
  { address, link, token }: Readonly<Record<'address' | 'link' | 'token', string>>,
  root: string,
  branch: string,
) {
  return [
    `Serving ${root} (branch ${branch}) at ${address}`,
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

/** A failure is not kept: the next one who asks may have more luck. */
function once<T>(open: () => Promise<T>): () => Promise<T> {
  let opened: Promise<T> | null = null
  return () =>
    (opened ??= open().catch((error: unknown) => {
      opened = null
      throw error
    }))
}
