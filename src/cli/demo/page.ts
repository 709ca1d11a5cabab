// The page beside the demo: the same build, in a browser.
import { styleText } from 'node:util'
import type { Call } from '../command.ts'
import { print } from '../output.ts'
import { openServed } from '../serve.ts'
import { VERSION } from '../version.ts'

export interface DemoPage {
  /** Resolves when the person at the terminal is ready to watch, or leaves; at once without a terminal. */
  readonly watched: () => Promise<'watched' | 'left'>
  /** Resolves when the person has seen enough; at once without a terminal. */
  readonly left: () => Promise<unknown>
  readonly close: () => Promise<void>
}

export async function openDemoPage(call: Call): Promise<DemoPage> {
  const { serveHttp } = await import('../../http/serve.ts')
  const servedRepo = await openServed(call)
  const { note } = servedRepo
  const where = { host: '127.0.0.1', port: 0, token: null, version: VERSION, note }
  const { link, address, stop } = await serveHttp({ servedRepos: [servedRepo], ...where })
  const isTerminal = process.stdin.isTTY && process.stdout.isTTY
  print(`${styleText('bold', 'Watch it in a browser')}: ${link}\n\n`)
  return {
    watched: async () => (isTerminal ? enter('Open it, then press Enter to begin: ') : 'watched'),
    left: async () => (isTerminal ? enter(`\nThe page stays at ${address} until you press Enter: `) : 'left'),
    close: async () => {
      await stop()
      servedRepo.context.store.close()
    },
  }
}

async function enter(question: string): Promise<'watched' | 'left'> {
  const { createInterface } = await import('node:readline')
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  return new Promise((resolve) => {
    // Ctrl+C, or the end of the input.
    terminal.on('SIGINT', () => terminal.close()).on('close', () => resolve('left'))
    terminal.question(question, () => {
      resolve('watched')
      terminal.close()
    })
  })
}
