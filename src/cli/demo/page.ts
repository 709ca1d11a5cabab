// The page beside the demo: the same build, in a browser.
import { openNotifying, openShop, openWorkspaces, type WorkedAt } from '../../compose.ts'
import type { Config } from '../../config/config.ts'
import type { BuildDesk } from '../../operations/builds.ts'
import { print, printError } from '../output.ts'
import { paint } from '../paint.ts'
import { VERSION } from '../version.ts'
import type { Place } from './place.ts'

export interface DemoPage {
  /** When the person at the terminal is ready to watch; at once where there is none. */
  readonly watched: () => Promise<void>
  /** When the person has seen enough; at once where there is none. */
  readonly left: () => Promise<void>
  readonly close: () => Promise<void>
}

export async function openDemoPage(desk: BuildDesk, { folder, env }: Place): Promise<DemoPage> {
  const { serveHttp } = await import('../../http/serve.ts')
  let opened: ReturnType<typeof openWorkspaces> | null = null
  const watcher = { fact: () => {}, agent: () => {} }
  const site = {
    desk,
    root: folder,
    env,
    openShop: (config: Config, at?: WorkedAt) => openShop(folder, env, config, watcher, at),
    openNotifying: (config: Config) => openNotifying(folder, env, config),
    openWorkspaces: () => (opened ??= openWorkspaces(folder, env)),
    remark: (sentence: string) => printError(`${sentence}\n`),
  }
  const { link, address, stop } = await serveHttp({ site, host: '127.0.0.1', port: 0, token: null, version: VERSION })
  const isTerminal = process.stdin.isTTY && process.stdout.isTTY
  print(`${paint('bold', 'Watch it in a browser')}: ${link}\n\n`)
  return {
    watched: () => (isTerminal ? enter('Open it, then press Enter to begin: ') : Promise.resolve()),
    left: () => (isTerminal ? enter(`\nThe page stays at ${address} until you press Enter: `) : Promise.resolve()),
    close: stop,
  }
}

/** Ctrl+C and the end of the input are as good as Enter. */
async function enter(question: string): Promise<void> {
  const { createInterface } = await import('node:readline/promises')
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  await new Promise<void>((resolve) => {
    terminal.on('close', resolve).on('SIGINT', () => terminal.close())
    terminal.question(question).then(
      () => terminal.close(),
      () => terminal.close(),
    )
  })
}
