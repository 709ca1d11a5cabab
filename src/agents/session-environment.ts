// The environment of a session: a folder, a home, the user's login in it, and variables. Removed when it ends.
import { agentEnvironment } from './agent-environment.ts'
import type { AgentAdapter, SessionEnvironment } from './agent.ts'
import { type Redact, redactor, secretsAmong } from './secrets.ts'
import { makePlace, sweepPlaces } from './session-place.ts'
import type { Environment } from '../core/values/environment.ts'

export interface SessionEnvironmentSettings {
  /** Names of the user's variables that the agent gets; it gets no others. */
  readonly env: readonly string[]
  /** `user`: the agent's own login is used; `none`: it starts without any. */
  readonly credentials: 'user' | 'none'
}

export interface OpenSessionEnvironment extends SessionEnvironment {
  /** Takes out of a text what the agent was given in confidence. */
  readonly redact: Redact
  readonly remove: () => Promise<void>
}

/** Agents whose leftovers this process has looked for. */
const swept = new Map<string, Promise<void>>()

export async function sessionEnvironmentFor(
  { name, login, promptFile }: Pick<AgentAdapter, 'name' | 'login' | 'promptFile'>,
  settings: SessionEnvironmentSettings,
  user: Environment,
  prompt: string,
): Promise<OpenSessionEnvironment> {
  // Before the login is lent: what was left may be newer.
  if (!swept.has(name)) swept.set(name, sweepPlaces(name, login))
  await swept.get(name)
  const isUsers = settings.credentials === 'user' && login === undefined
  const read = promptFile === 'unread' ? null : prompt
  const place = await makePlace({ agent: name, prompt: read, home: isUsers ? 'user' : 'own' })
  try {
    const borrowed =
      settings.credentials === 'user' && place.home !== null ? await login?.borrow(place.home) : undefined
    return {
      promptFile: place.promptFile,
      home: place.home,
      env: agentEnvironment(user, settings.env, place.home),
      redact: redactingNow(secretsAmong(user, settings.env), borrowed?.secrets ?? (() => [])),
      remove: async () => {
        await borrowed?.giveBack()
        await place.remove()
      },
    }
  } catch (error) {
    await place.remove()
    throw error
  }
}

/** A login that is renewed has new secrets. */
function redactingNow(fixed: readonly string[], borrowed: () => readonly string[]): Redact {
  let count = -1
  let redact: Redact = (text) => text
  return (text) => {
    const secrets = borrowed()
    if (secrets.length !== count) redact = redactor([...fixed, ...secrets])
    count = secrets.length
    return redact(text)
  }
}
