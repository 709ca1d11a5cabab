// Routes for a close look: a build to fold further, one task, its sessions and their results.
import { z } from 'zod'
import { calls } from './calls.ts'
import { evidencePage } from './evidence.ts'
import { limit, sessionId } from './lists.ts'
import { repository, somewhere } from './repositories.ts'
import { get, ref } from './route.ts'
import {
  sessionList,
  sessionRole,
  taskDetail,
  taskPatch,
  transcriptFound,
  transcriptOutline,
  transcriptRows,
} from './task-detail.ts'
import { buildView } from './view.ts'

const taskOfBuild = z.object({ id: ref, task: z.string().min(1).max(128) })
const iteration = z.object({ id: sessionId })
const place = z.coerce.number<number>().int().min(0).default(0)
const ROW_LENGTH_MAX = 1_048_576

export const detailRoutes = {
  view: get(calls.view, 'A build as it stands after a certain fact, for those who fold what follows.', {
    params: z.object({ id: ref }),
    query: somewhere,
    answer: buildView,
  }),
  evidence: get(calls.evidence, 'The merged tasks of a build, with what proves each of them.', {
    params: z.object({ id: ref }),
    query: z.object({
      after: z.string().max(128).optional().describe('the id of the last task of the page before'),
      limit,
      repository,
    }),
    answer: evidencePage,
  }),
  sessions: get(calls.sessions, 'The agent sessions of a build, of every role.', {
    params: z.object({ id: ref }),
    query: z.object({ role: sessionRole.optional(), repository }),
    answer: sessionList,
  }),
  outline: get(calls.outline, 'How many rows a transcript has, and where they begin.', {
    params: iteration,
    query: z.object({
      from: place.describe('`bytes` of the outline before: only what came after it is looked at'),
      rows: place.describe('`rows` of that outline'),
      repository,
    }),
    answer: transcriptOutline,
  }),
  rows: get(calls.rows, 'Some rows of a transcript, from the one that begins at a byte.', {
    params: iteration,
    query: z.object({
      from: place,
      limit,
      length: z.coerce
        .number<number>()
        .int()
        .min(1)
        .max(ROW_LENGTH_MAX)
        .default(2_000)
        .describe('characters of each text'),
      repository,
    }),
    answer: transcriptRows,
  }),
  search: get(calls.search, 'Which rows of a transcript hold a text.', {
    params: iteration,
    query: z.object({ text: z.string().min(1).max(256), repository }),
    answer: transcriptFound,
  }),
  taskDetail: get(calls.taskDetail, 'The sessions, evidence and reviews of a task in a build.', {
    params: taskOfBuild,
    query: somewhere,
    answer: taskDetail,
  }),
  taskPatch: get(calls.taskPatch, 'What a task changed, or what one of its sessions had by then.', {
    params: taskOfBuild,
    query: z.object({
      session: z
        .string()
        .regex(/^\d{1,6}\.\d{1,6}$/, 'must be ATTEMPT.ITERATION')
        .optional(),
      repository,
    }),
    answer: taskPatch,
  }),
} as const
