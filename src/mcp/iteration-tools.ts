// The tools by which an iteration reports to the next one and to the engine. None of them accepts, merges, approves or
// ships anything.
import { z } from 'zod'
import { renderCounts } from '../core/plan/plan.ts'
import type { BuildStanding } from '../core/request/session-request.ts'
import { SIGNALS } from '../core/session/signal.ts'
import { type Tool, tool } from './tool.ts'

export const iterationTools: readonly Tool[] = [
  tool({
    name: 'write_scratchpad',
    title: 'Leave word for the next iteration',
    description:
      'Writes what the next iteration must know: it starts with nothing else than this and the files you leave. Call it once, before you end; a second call replaces the first. All of it together is at most 8 KiB.',
    input: z.object({
      done: z.string().describe('What you changed in this iteration.'),
      testStatus: z.string().describe('What passed and what failed, with the lines that matter.'),
      nextStep: z.string().describe('What the next iteration should do first.'),
      blockers: z.string().describe('What is in the way, or "none".'),
    }),
    hints: { idempotentHint: true },
    request: 'scratchpad',
    answerText: () => 'The scratchpad is written.',
  }),
  tool({
    name: 'report_iteration',
    title: 'Say how the iteration ends',
    description: [
      'Says how this iteration ends. Call it once, as your last act, and then stop.',
      'ITERATION_DONE: progress was made, more is to do.',
      'TASK_COMPLETE: all acceptance criteria are met, and you saw the checks pass in this iteration; the engine verifies it.',
      'TASK_STUCK: you are blocked and need help; give the reason.',
      'CHECK_WRONG: the work is right, and a check or a test asks for something wrong; say which and why.',
      'Where your final message says something else, the more cautious of the two counts.',
    ].join('\n'),
    input: z.object({
      signal: z.enum(SIGNALS),
      reason: z.string().optional().describe('Needed for TASK_STUCK and CHECK_WRONG.'),
    }),
    hints: { idempotentHint: true },
    request: 'signal',
    answerText: (_, { signal }) => `Reported ${signal}. End your session now.`,
  }),
  tool({
    name: 'build_status',
    title: 'See how the build stands',
    description:
      'Tells how the build and its plan stand, and which task, attempt and iteration you are. Changes nothing.',
    input: z.object({}),
    hints: { readOnlyHint: true },
    request: 'buildStatus',
    answerText: statusText,
  }),
]

function statusText({ build, plan, iteration }: BuildStanding): string {
  const lines = [
    build === null ? 'There is no build yet.' : `Build ${build.id}: ${build.state}.`,
    `Tasks: ${renderCounts(plan)}.`,
  ]
  if (iteration === null) return lines.join('\n')
  const { task, attempt, iteration: number, iterationsMax } = iteration
  return [...lines, `You: task ${task}, attempt ${attempt}, iteration ${number} of at most ${iterationsMax}.`].join(
    '\n',
  )
}
