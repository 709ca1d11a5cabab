// A real server over a project, and HTTP requests to it.
import { request } from 'node:http'
import { onTestFinished } from 'vitest'
import type { Project } from '../rig/project.ts'
import type { Started } from '../rig/program.ts'

export interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  /** The text as JSON; empty where it is none. */
  readonly body: Body
}

export type Body = Readonly<Record<string, unknown>>

export interface Served {
  readonly address: string
  readonly token: string
  readonly link: string
  readonly program: Started
  get(path: string): Promise<Answered>
  post(path: string, body?: unknown): Promise<Answered>
  /** With exactly these headers. */
  ask(method: string, path: string, headers: Readonly<Record<string, string>>, body?: string): Promise<Answered>
  /** Asks for the status after every fact until it is this one. */
  until(ref: string, status: string): Promise<Body>
  /** Resolves with all facts as soon as so many of this type have arrived. */
  saw(ref: string, type: string, count?: number, after?: string): Promise<Body[]>
}

export async function served(
  made: Project,
  env: Readonly<Record<string, string>> = {},
  ...folders: readonly string[]
): Promise<Served> {
  const program = made.start(['serve', ...folders, '--port', '0', '--json'], env)
  await program.saw('"token"')
  onTestFinished(async () => {
    program.child.kill('SIGKILL')
    await program.ended
  })
  const { address, token, link } = JSON.parse(firstLine(program)) as Record<'address' | 'token' | 'link', string>
  return { address, token, link, program, ...caller(address, token) }
}

function firstLine({ said }: Started): string {
  return said().stdout.split('\n', 1)[0] ?? ''
}

export function caller(address: string, token: string): Pick<Served, 'get' | 'post' | 'ask' | 'until' | 'saw'> {
  const own = { authorization: `Bearer ${token}` }
  const ask: Served['ask'] = (method, path, headers, body) => call(address, method, path, headers, body)
  const get: Served['get'] = (path) => ask('GET', path, own)
  return {
    ask,
    get,
    post: (path, body) =>
      body === undefined
        ? ask('POST', path, own)
        : ask('POST', path, { ...own, 'content-type': 'application/json' }, JSON.stringify(body)),
    until: async (ref, status) => {
      for await (const _ of events(ref)) {
        const { body } = await get(`/api/build/${ref}/status`)
        if (body['status'] === status) return body
      }
      throw new Error(`the feed ended before ${ref} was ${status}`)
    },
    saw: async (ref, type, count = 1, after = '0') => {
      let told = ''
      for await (const text of events(ref, after)) {
        told += text
        const facts = told.split('\n\n').flatMap((event) => /^data: (.*)$/m.exec(event)?.slice(1) ?? [])
        const read = facts.slice(0, told.endsWith('\n\n') ? undefined : -1).map((one) => JSON.parse(one) as Body)
        if (read.filter((fact) => fact['type'] === type).length >= count) return read
      }
      throw new Error(`the feed ended before it told ${type}`)
    },
  }

  async function* events(ref: string, after = '0'): AsyncGenerator<string> {
    const reader = new AbortController()
    const answer = await fetch(`${address}/api/build/${ref}/events?after=${after}`, {
      headers: own,
      signal: reader.signal,
    })
    const decoder = new TextDecoder()
    try {
      for await (const part of answer.body ?? []) yield decoder.decode(part, { stream: true })
    } finally {
      reader.abort()
    }
  }
}

function call(
  address: string,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body = '',
): Promise<Answered> {
  const { hostname, port } = new URL(address)
  return new Promise((resolve, reject) => {
    const asked = request({ hostname, port, method, path, headers, agent: false }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (part: string) => (text += part))
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text, body: parsed(text) }),
      )
    })
    asked.on('error', reject)
    asked.end(body)
  })
}

function parsed(text: string): Body {
  try {
    return JSON.parse(text) as Body
  } catch {
    return {}
  }
}
