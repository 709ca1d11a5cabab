// The same verbs through every face, with the answers in a common form.
import { onTestFinished } from 'vitest'
import { DONE_REASONS } from '../../src/core/builds/done-reason.ts'
import { BuildAgent, type Client, createClient, openRalph, RequestRefused } from '../../src/index.ts'
import { type Body, served } from '../http/served.ts'
import type { Project } from '../rig/project.ts'

/** An answer, or the code and the sentence of a refusal. */
export type Outcome = { readonly answer: unknown } | { readonly refused: string; readonly sentence: string }

export type Verb =
  | { readonly do: 'start' | 'status' | 'session' | 'tasks' | 'facts' | 'pause' | 'resume' | 'abort' }
  | { readonly do: 'publish' | 'step' | 'revert' | 'gate' | 'verify' }
  | { readonly do: 'task' | 'retry' | 'skip'; readonly task: string }
  | { readonly do: 'answer' | 'resolve'; readonly task: string; readonly text: string }
  | { readonly do: 'create'; readonly idea: string }

/** Null: this face has no such verb. */
export type Player = (verb: Verb) => Promise<Outcome | null>

const taskOf = ({ id, title, status, priority, deps }: Body): Body => ({ id, title, status, priority, deps })
const statusOf = (session: Body): Body => {
  const { status, ideaId, completedTasks, failedTasks, currentTaskIndex, lastError } = session
  const ids = (session['tasks'] as Body[]).map(({ id }) => id)
  return { status, ideaId, completedTasks, failedTasks, currentTaskIndex, lastError, tasks: ids }
}
const whats = (reasons: unknown): unknown => (reasons as Body[]).map(({ what }) => what)
const proofsOf = ({ ok, commits }: Body): unknown => [ok, (commits as Body[]).map(({ subject, is }) => [subject, is])]
const refusal = ({ code, message }: Body): Outcome => ({
  refused: String(code),
  sentence: String(message).split('\n', 1)[0] ?? '',
})

export function cliPlayer(made: Project): Player {
  const run = async (
    args: readonly string[],
    answer: (document: Body, lines: readonly Body[]) => unknown,
  ): Promise<Outcome> => {
    const { stdout } = await made.start([...args, '--json']).ended
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Body)
    const [document = {}] = lines
    return 'error' in document ? refusal(document['error'] as Body) : { answer: answer(document, lines) }
  }
  return async (verb) => {
    switch (verb.do) {
      case 'start':
        return run(['build'], () => made.json('status')['status'])
      case 'create':
        return null
      case 'status':
      case 'session':
        return run(['status'], statusOf)
      case 'tasks':
        return run(['task', 'list', '--all'], (document) => (document as unknown as Body[]).map(taskOf))
      case 'task':
        return run(['task', 'show', verb.task], taskOf)
      case 'facts':
        return run(['log'], (_, lines) => lines)
      case 'pause':
      case 'resume':
      case 'abort':
        return run([verb.do], ({ state }) => state)
      case 'step':
        return run(['step'], ({ phase }) => phase)
      case 'retry':
      case 'skip':
        return run([verb.do, verb.task], ({ task }) => task)
      case 'answer':
        return run(['answer', verb.task, '-m', verb.text], ({ task }) => task)
      case 'resolve':
        return run(['resolve', verb.task, '-m', verb.text], ({ task, verified = false }) => [task, verified])
      case 'revert':
        return run(['revert'], ({ task }) => task)
      case 'gate':
        return run(['ship', '--dry-run'], ({ reasons }) => whats(reasons))
      case 'publish':
        return run(['ship'], ({ shipped, reasons }) => (shipped === true ? 'published' : whats(reasons)))
      case 'verify':
        return run(['verify'], proofsOf)
    }
  }
}

/** A face's own build, and the notes beside its answers. */
interface Heard {
  readonly idea: string
  /** Resolves when a loop that was handed the build has let go of it again. */
  readonly rested: () => Promise<unknown>
  /** In the form of the sessions API. */
  readonly session: (id: string) => Promise<Body>
}

/** The functions of the HTTP contract, wherever they are carried out. */
function clientPlayer(client: Client, { idea, rested, session }: Heard): Player {
  const newest = async () => (await client.builds({ limit: 1 })).builds[0]
  const play = async (verb: Verb, id: string): Promise<unknown> => {
    switch (verb.do) {
      case 'start':
        await client.start({ ideaId: idea })
        await rested()
        return (await client.status({ ideaId: idea })).status
      case 'create': {
        const seed = { brief: { goal: 'Add the numbers two and three' } }
        return client.create({ project_id: verb.idea, seed })
      }
      case 'session':
        return statusOf(await session(id))
      case 'status':
        return statusOf({ ...(await client.status({ ideaId: id })) })
      case 'tasks':
        return (await client.tasks()).tasks.map(taskOf)
      case 'task':
        return taskOf(await client.task({ id: verb.task }))
      case 'facts':
        return (await client.facts({ id, limit: 1000 })).facts
      case 'pause':
        await client.pause({ sessionId: id })
        return (await newest())?.state
      case 'resume':
        await client.resume({ sessionId: id })
        // A loop looks whether there is something to do, and finds that a human is waited for.
        await rested()
        return (await newest())?.state
      case 'abort':
        await client.abort({ build_id: id })
        return (await newest())?.state
      case 'step':
        return (await client.step({ build_id: id })).phase
      case 'retry':
      case 'skip':
        return (await client[verb.do]({ sessionId: id, task_id: verb.task })).task_id
      case 'answer':
        return (await client.answer({ sessionId: id, task_id: verb.task, text: verb.text })).task_id
      case 'resolve': {
        const said = { sessionId: id, task_id: verb.task, resolution: verb.text }
        const { task_id: task, verified } = await client.resolve(said)
        return [task, verified]
      }
      case 'revert':
        return (await client.revert({ sessionId: id })).task_id
      case 'gate':
        return whats((await client.gate({ project_id: id })).reasons)
      case 'publish':
        await client.publish({ project_id: id })
        return 'published'
      case 'verify':
        return proofsOf(await client.verify({ id }))
    }
  }
  return async (verb) => {
    try {
      return { answer: await play(verb, (await newest())?.id ?? 'b_none') }
    } catch (error) {
      if (!(error instanceof RequestRefused)) throw error
      if (error.reasons.length > 0) return { answer: whats(error.reasons) }
      // The command line asks again what it would have refused.
      if (error.code === 'RALPH_FIX_UNVERIFIED') return { answer: ['task' in verb ? verb.task : '', false] }
      return refusal({ code: error.code, message: error.message })
    }
  }
}

/** The last note of a loop that waits for a human. */
const RESTED = `: ${DONE_REASONS.HumanNeeded.sentence}`

export async function httpPlayer(made: Project, idea: string): Promise<Player> {
  const { address: url, token, program } = await served(made)
  const client = createClient({ url, token })
  const session = async (id: string): Promise<Body> => ({ ...(await client.status({ ideaId: id })) })
  return clientPlayer(client, { idea, rested: () => program.saw(RESTED), session })
}

export async function libraryPlayer(made: Project, idea: string): Promise<Player> {
  const place = { folder: made.folder, env: made.env }
  const heard = Promise.withResolvers<void>()
  const note = (sentence: string): void => (sentence.includes(RESTED) ? heard.resolve() : undefined)
  const ralph = await openRalph({ ...place, note })
  const agent = new BuildAgent(place)
  onTestFinished(async () => {
    await ralph.close()
    await agent.close()
  })
  const session = async (id: string): Promise<Body> => ({ ...(await agent.findSession(id)) })
  return clientPlayer(ralph, { idea, rested: () => heard.promise, session })
}
