// The agent `model` as the program opens it, with a scripted model and a request handler that changes the folder.
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Agent } from '../../src/agents/agent.ts'
import { openAgents } from '../../src/agents/registry.ts'
import type { Played } from '../../src/agents/trial.conformance.ts'
import type { Config } from '../../src/config/settings/config.ts'
import { renderScratchpad, SCRATCHPAD_FILE } from '../../src/core/session/scratchpad.ts'
import { readSessionRequest, type SessionRequest } from '../../src/core/request/session-request.ts'
import { openSockets } from '../../src/socket/unix-sockets.ts'
import { HANG_MS } from '../rig/hang.ts'

export type Settings = Partial<Config['agent']['model']>

/** A model that the SDK knows to support a schema together with tools. */
export const MODEL = 'claude-opus-4-5'
/** Must not appear in any output. */
export const KEY = 'canary-key-0123456789'

const defaults: Omit<Played, 'steps'> = { timeoutMs: HANG_MS, idleTimeoutMs: HANG_MS, env: [], credentials: 'user' }

export function modelAt(
  address: string,
  settings: Settings = {},
  user: Readonly<Record<string, string | undefined>> = {},
): Agent {
  const model = {
    ...defaults,
    command: null,
    args: [],
    scenario: null,
    provider: 'anthropic',
    model: MODEL,
    baseUrl: address,
    ...settings,
  } as const
  const agents = { planner: 'model', implementer: 'model', reviewer: 'model', sia: 'model' }
  const env = { PATH: process.env['PATH'], ANTHROPIC_API_KEY: KEY, COMPATIBLE_KEY: KEY, OPENAI_API_KEY: KEY, ...user }
  return openAgents({ agents, agent: { model } }, { root: '/', env }).implementer
}

export type Answering = (request: SessionRequest) => unknown

/** With an engine that answers its sessions. */
export function withAnswers(
  agent: Agent,
  answer: (folder: string, iteration: number) => Answering = plainAnswers,
): Agent {
  return {
    ...agent,
    run: async (session) => {
      const context = answer(session.folder, session.iteration)
      const socket = await openSockets(['ralph']).open(async (request) => context(readSessionRequest(request)))
      onTestFinished(socket.close)
      return agent.run({ ...session, reach: { socket: socket.path, ralph: ['ralph'] } })
    },
  }
}

/** Carries out every request. The rules are tested with the engine. */
export function plainAnswers(folder: string, iteration: number): Answering {
  return (request) => {
    switch (request.do) {
      case 'applyPatch': {
        const { edit } = request
        if ('diff' in edit) execFileSync('git', ['apply', '-'], { cwd: folder, input: edit.diff })
        else for (const { path, content } of edit.files) put(join(folder, path), content)
        return { applied: true, touchedFiles: 'files' in edit ? edit.files.map(({ path }) => path) : [] }
      }
      case 'runChecks':
        return { ok: true, report: 'unit: green' }
      case 'scratchpad':
        put(join(folder, SCRATCHPAD_FILE), renderScratchpad(iteration, request))
        return null
      default:
        throw new Error(`nobody asked for ${request.do}`)
    }
  }
}

function put(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}
