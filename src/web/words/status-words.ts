// Builds, tasks and their phases in the words of the page, each with its colour and icon.
import {
  Ban,
  Check,
  CircleAlert,
  CircleDashed,
  CircleHelp,
  CirclePause,
  LoaderCircle,
  type LucideIcon,
  SkipForward,
} from 'lucide-react'
import type { BuildState, SessionStatus } from '../../core/builds/build.ts'
import type { TaskStatus } from '../../core/task/task.ts'
import type { Tone } from '../parts/badge.tsx'

export interface Word {
  readonly word: string
  readonly tone: Tone
  readonly icon: LucideIcon
  readonly isTurning?: boolean
}

export const SESSION_STATUSES: Readonly<Record<SessionStatus, Word>> = {
  active: { word: 'Active', tone: 'busy', icon: LoaderCircle, isTurning: true },
  paused: { word: 'Paused', tone: 'calm', icon: CirclePause },
  complete: { word: 'Complete', tone: 'good', icon: Check },
  failed: { word: 'Failed', tone: 'bad', icon: CircleAlert },
  human_needed: { word: 'Human needed', tone: 'ask', icon: CircleHelp },
}

export const BUILD_STATES: Readonly<Record<BuildState, Word>> = {
  running: { word: 'Running', tone: 'busy', icon: LoaderCircle },
  paused: SESSION_STATUSES.paused,
  aborted: { word: 'Aborted', tone: 'quiet', icon: Ban },
  failed: SESSION_STATUSES.failed,
  complete: SESSION_STATUSES.complete,
}

export const TASK_WORDS: Readonly<Record<TaskStatus, Word>> = {
  open: { word: 'Pending', tone: 'quiet', icon: CircleDashed },
  active: { word: 'Running', tone: 'busy', icon: LoaderCircle, isTurning: true },
  waiting: { word: 'Waits for you', tone: 'ask', icon: CircleHelp },
  done: { word: 'Completed', tone: 'good', icon: Check },
  skipped: { word: 'Skipped', tone: 'bad', icon: SkipForward },
  split: { word: 'Split', tone: 'quiet', icon: Ban },
  deleted: { word: 'Deleted', tone: 'quiet', icon: Ban },
}
