// Every verb of the HTTP API in this process, without a server: the same functions as the client has.
import { basename } from 'node:path'
import { openServedRepository } from '../compose.ts'
import type { Client } from '../operations/contract/client.ts'
import { openPlace, type Place } from './place.ts'

export interface RalphOptions extends Place {
  /** Gets what an operator would see beside a server, one sentence at a time; default: ignored. */
  readonly note?: (sentence: string) => void
}

/** The client's functions in this process: its loops work on builds that are started or resumed. */
export interface Ralph extends Client {
  /** Stops and saves running work and closes the store; a later `resume` continues from there. */
  readonly close: () => Promise<void>
}

/** Throws refusals as `RequestRefused`, like the client. The caller closes it. */
export async function openRalph({ note = () => {}, ...place }: RalphOptions = {}): Promise<Ralph> {
  // Input validation is large, and a program that uses other parts does not need it.
  const { inProcess } = await import('./in-process.ts')
  const { context, folder, env } = await openPlace(place)
  return inProcess(openServedRepository({ context, root: folder, env, name: basename(folder), note }))
}
