// A message of the operator to a build: an answer if a task waits for one, otherwise a message for the next session.
import { refuse } from '../../core/error/error.ts'
import type { BuildId } from '../../core/values/id.ts'
import type { BuildContext } from './builds.ts'
import { answerTask } from './escalations.ts'

/** Characters of one message. */
const WORD_LENGTH_MAX = 65_536

export async function sendMessage(context: BuildContext, id: BuildId, word: string): Promise<void> {
  const text = word.trim()
  if (text === '' || text.length > WORD_LENGTH_MAX)
    throw refuse('INPUT_BAD', { problem: `a message must have 1 to ${WORD_LENGTH_MAX} characters` })
  const { store, scope, person, unique } = context
  const waiting = await store.tasks.list(scope, { statuses: ['waiting'] })
  if (waiting.some(({ build }) => build === id)) {
    await answerTask(context, text, undefined, id)
    return
  }
  const kept = { kind: 'message', id: unique(), by: person, text, taker: null } as const
  await store.builds.note(id, { type: 'messageLeft', by: person, text }, [kept])
}
