// Every verb of the HTTP API in this process, without a server: the same functions as the client has.
import { basename } from 'node:path'
import { openServedRepository } from '../compose.ts'
import type { Client } from '../operations/contract/client.ts'
import { openPlace, type Place } from './place.ts'

export interface RalphOptions extends Place {
  /** Told what an operator would see beside a server, a sentence each; default: nobody is. */
  readonly note?: (sentence: string) => void
}

/** The client's functions, done here: builds that are started or resumed are worked on by loops of this process. */
export interface Ralph extends Client {
  /** Stops what runs, saves it and closes the store; a later `resume` goes on where it was. */
  readonly close: () => Promise<void>
}

/** What is refused is thrown as `RequestRefused`, as by the client. Who opens it closes it. */
export async function openRalph({ note = () => {}, ...place }: RalphOptions = {}): Promise<Ralph> {
  // What checks input is large, and a program that uses other parts need not have it.
  const { inProcess } = await import('./in-process.ts')
  const { context, folder, env } = await openPlace(place)
  return inProcess(openServedRepository({ context, root: folder, env, name: basename(folder), note }))
}
