// A build told in plain lines, one a fact: what a person reads in a terminal, in a log file or over a pipe.
import type { Fact } from '../../core/fact.ts'
import { formatInstant } from '../../core/instant.ts'

/** Null: not worth a line of its own. */
export function told(fact: Fact): string | null {
  switch (fact.type) {
    case 'buildStarted':
      return `build started: ${fact.taskCount} ${fact.taskCount === 1 ? 'task' : 'tasks'}`
    case 'taskStarted':
      return `${fact.taskId}: attempt ${fact.attempt}: ${fact.taskName}`
    case 'iterationStarted':
      return `${fact.taskId}: iteration ${fact.attempt}.${fact.iteration}`
    case 'iterationDone':
      return `${fact.taskId}: ${fact.error === null ? said(fact.signal) : `failed: ${firstLine(fact.error)}`}`
    case 'verifying':
      return `${fact.taskId}: verifying`
    case 'verified':
      return `${fact.taskId}: ${fact.verdict.is}${fact.verdict.is === 'green' ? '' : `: ${firstLine(fact.verdict.error)}`}`
    case 'reviewed':
      return `${fact.taskId}: review: ${fact.decision.is}${fact.decision.is === 'approve' ? '' : `: ${fact.reasons.join('; ')}`}`
    case 'mergeRefused':
      return `${fact.taskId}: not merged: ${firstLine(fact.error)}`
    case 'taskComplete':
      return `${fact.taskId}: done, merged as ${fact.commitHash.slice(0, 10)}`
    case 'taskFailed':
      return `${fact.taskId}: attempt ${fact.attempt} failed: ${firstLine(fact.error)}`
    case 'siaTriggered':
      return `${fact.taskId}: asking SIA (intervention ${fact.interventionNumber})`
    case 'siaSuccess':
      return `${fact.taskId}: SIA rewrote the task`
    case 'siaDecomposed':
      return `${fact.originalTaskId}: SIA split it into ${fact.newTaskCount} tasks`
    case 'humanNeeded':
      return `${fact.taskId}: a human is needed: ${firstLine(fact.reason)}`
    case 'waiting':
      return `${fact.taskId}: waiting until ${formatInstant(fact.until)} UTC: ${fact.reason}`
    case 'interrupted':
      return `${fact.taskId}: interrupted: ${firstLine(fact.reason)}`
    case 'taskSkipped':
      return `${fact.taskId}: skipped by ${fact.by}`
    case 'taskRetried':
      return `${fact.taskId}: to be tried again, says ${fact.by}`
    case 'taskAnswered':
      return `${fact.taskId}: answered by ${fact.by}: ${firstLine(fact.text)}`
    case 'taskResolved':
      return `${fact.taskId}: resolved by ${fact.by}: ${firstLine(fact.text)}`
    case 'taskReverted':
      return `${fact.taskId}: reverted by ${fact.by}`
    case 'buildPaused':
      return `build paused by ${fact.by}`
    case 'buildResumed':
      return `build resumed by ${fact.by}`
    case 'buildAborted':
      return `build aborted by ${fact.by}`
    case 'buildComplete':
      return 'build complete'
    case 'buildFailed':
      return `build failed: ${firstLine(fact.error)}`
    case 'reviewing':
    case 'merging':
    case 'merged':
    case 'intervened':
    case 'limited':
    case 'waited':
      return null
  }
}

function said(signal: Extract<Fact, { type: 'iterationDone' }>['signal']): string {
  if (signal === null) return 'said nothing about where it stands'
  return 'reason' in signal ? `says ${signal.kind}: ${signal.reason}` : `says ${signal.kind}`
}

const LINE_MAX = 200

/** Agents and checks write what they like: one line of it, without control characters. */
function firstLine(text: string): string {
  const line = (text.split('\n').find((part) => part.trim() !== '') ?? '').replaceAll(/\p{C}/gu, ' ').trim()
  return line.length > LINE_MAX ? `${line.slice(0, LINE_MAX)}…` : line
}
