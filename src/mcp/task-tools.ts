// The tools that are about tasks. In an iteration they are bound to its task; outside they work on the repository's store.
import { z } from 'zod'
import { claimOf, claimText } from '../core/task/claim.ts'
import { renderTasks } from '../core/task/markdown-kv.ts'
import { LEASE_DEFAULT_SECONDS, LEASE_SECONDS_MAX, PEEK_DEFAULT, PEEK_MAX } from '../core/task/task.ts'
import { type Tool, tool } from './tool.ts'

const id = z.string().describe("The task's id, as task_peek shows it.")
const leaseSeconds = z
  .int()
  .min(0)
  .max(LEASE_SECONDS_MAX)
  .default(LEASE_DEFAULT_SECONDS)
  .describe(
    'For how many seconds the task is yours; renew it before they are over. Inside an iteration the engine does.',
  )

export const taskTools: readonly Tool[] = [
  tool({
    name: 'task_peek',
    title: 'Look at the next tasks',
    description:
      'Shows the tasks that can be claimed, best first, then all that are being worked on. Takes nothing and changes nothing.',
    input: z.object({
      limit: z.int().min(1).max(PEEK_MAX).default(PEEK_DEFAULT).describe('How many claimable tasks to show.'),
    }),
    hints: { readOnlyHint: true },
    request: 'peek',
    answerText: (tasks) =>
      tasks.length === 0 ? 'No tasks to claim, and none is being worked on.' : renderTasks(tasks),
  }),
  tool({
    name: 'task_claim',
    title: 'Take a task',
    description:
      'Takes one task so that nobody else works on it, and tells what is known about it. Without an id: the best one. Inside an iteration your task is claimed already: this tells you about it again, and no other can be taken.',
    input: z.object({ id: id.optional(), leaseSeconds }),
    request: 'claim',
    answerText: ({ task, blockerResults, brief }) => {
      const card = renderTasks([task], new Map(blockerResults.map((blocker) => [blocker.id, blocker.result])))
      const claims = `The task claims ${claimText(claimOf(task))}.`
      const told = [task.description, claims, brief].filter((part) => part !== null)
      return [card, ...told].join('\n')
    },
  }),
  tool({
    name: 'task_renew',
    title: 'Keep a task longer',
    description:
      'Makes the lease on a task that you hold last longer. Inside an iteration you need not: the engine does.',
    input: z.object({ id, leaseSeconds }),
    hints: { idempotentHint: true },
    request: 'renew',
    answerText: (task) => `renewed ${task.id}`,
  }),
  tool({
    name: 'task_done',
    title: 'Say that a task is done',
    description:
      'Says that the task you hold is complete. Only after you ran the checks in this session and saw them pass. In a build this is a claim: the engine runs the checks itself, on exactly the files you leave, breaks your change on purpose to see that a test notices, and only that makes the task done. Outside a build the task is done at once, as reported: the next build runs the checks on HEAD and opens it again if they are red.',
    input: z.object({
      id,
      result: z
        .looseObject({ commit: z.string().describe('The commit that holds the work.') })
        .optional()
        .describe('What the tasks that waited for this one should know. Not needed inside an iteration.'),
    }),
    hints: { idempotentHint: true },
    request: 'done',
    answerText: (task) =>
      task.status === 'done' ? `done ${task.id}` : `done ${task.id}\nIt counts once the engine has verified it.`,
  }),
  tool({
    name: 'task_fail',
    title: 'Give a task back',
    description:
      'Gives the task you hold back, with the reason, so that others can help or try. Inside an iteration this is TASK_STUCK: end your session after it.',
    input: z.object({
      id,
      reason: z.string().optional().describe('What stopped you: what you tried, what happened, what you would need.'),
    }),
    request: 'fail',
    answerText: (task) => `failed ${task.id}`,
  }),
  tool({
    name: 'task_create',
    title: 'Add a task',
    description:
      'Adds a task for later: work that you found and that is not part of your own task. It waits for its turn; nothing waits for it. Do not use it to put off what your task asks for.',
    input: z.object({
      id: z.string().describe('A new id: 1 to 128 characters without white space, such as api/limits.'),
      title: z.string().describe('One line, at most 500 characters.'),
      description: z.string().optional().describe('What is to be done, and why.'),
      acceptance: z.array(z.string()).optional().describe('How one sees that it is done, one criterion each.'),
      steps: z.array(z.string()).optional(),
      priority: z.int().min(0).optional().describe('0 is the most urgent; 2 where you do not say.'),
      category: z.string().optional(),
      deps: z.array(z.string()).optional().describe('Ids of the tasks that must be finished before it.'),
    }),
    request: 'create',
    fields: ({ id: newId, deps = [], ...text }) => ({ id: newId, text: givenOnly(text), deps }),
    answerText: (task) => `created ${task.id}`,
  }),
]

/** A field that is there says something, so one that was left out must not be there. */
function givenOnly(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
