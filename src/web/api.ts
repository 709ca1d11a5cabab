// Asking the server that this page came from.
import type { ErrorAnswer } from '../operations/contract/contract.ts'
import { PATHS, type Verb, type VerbAnswer, type VerbInput } from './paths.ts'

/** What the server refused, in its own words. */
export class Refused extends Error {
  readonly status: number
  readonly code: string
  readonly reasons: NonNullable<ErrorAnswer['reasons']>

  constructor(status: number, { error, reasons = [] }: ErrorAnswer) {
    super(error.message)
    this.status = status
    this.code = error.code
    this.reasons = reasons
  }
}

export async function ask<Name extends Verb>(
  name: Name,
  input: VerbInput<Name> = {},
  signal?: AbortSignal,
): Promise<VerbAnswer<Name>> {
  const [method = 'GET', path = ''] = PATHS[name].split(' ')
  const response = await fetch(addressOf(path, input), {
    method,
    ...(signal === undefined ? {} : { signal }),
    ...(method === 'POST'
      ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(input.body ?? {}) }
      : {}),
  }).catch((error: unknown) => {
    if (signal?.aborted === true) throw error
    throw new Refused(0, { error: { code: 'UNREACHABLE', message: GONE } })
  })
  if (response.ok) return (await response.json()) as VerbAnswer<Name>
  throw new Refused(response.status, await errorOf(response))
}

const GONE = "the server does not answer; see whether 'ralph serve' still runs, and start it again if not"

function addressOf(path: string, { params = {}, query = {} }: { readonly params?: object; readonly query?: object }) {
  const given = params as Readonly<Record<string, string>>
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(given[name] ?? ''))
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  )
  return search.size === 0 ? filled : `${filled}?${search}`
}

async function errorOf(response: Response): Promise<ErrorAnswer> {
  const body: unknown = await response.json().catch(() => null)
  if (typeof body === 'object' && body !== null && 'error' in body) return body as ErrorAnswer
  return { error: { code: 'UNKNOWN', message: `the server answered ${response.status} and did not say why` } }
}
