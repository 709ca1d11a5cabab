// The part of the error table that is about git.
import type { ErrorKind } from './error.ts'

export const gitErrors = {
  GIT_NOT_STARTED: { sentence: 'git cannot be run: {problem}', exit: 1, http: 500 },
  GIT_OLD: { sentence: '{found} is too old; install git {needed} or newer', exit: 1, http: 500 },
  GIT_FAILED: { sentence: 'git {verb} failed: {reason}', exit: 1, http: 500 },
  GIT_SLOW: {
    sentence: 'git {verb} was stopped after {minutes} minutes; look what holds it up and try again',
    exit: 1,
    http: 503,
    retryable: true,
  },
  GIT_DISK_FULL: { sentence: 'no space left for {path}; free some and try again', exit: 1, http: 507, retryable: true },
  GIT_LOCKED: {
    sentence: '{path} stayed locked; end the git process that holds it and try again',
    exit: 1,
    http: 503,
    retryable: true,
  },
  GIT_DAMAGED: {
    sentence: "{path} is damaged ({reason}); run 'git fsck' there, and restore a copy or move it away",
    exit: 1,
    http: 500,
  },
  OBJECT_DAMAGED: {
    sentence:
      "git object {object} is damaged (its content does not match its hash) in {where}; restore it from another clone or a backup ('git fsck' lists every damaged object)",
    exit: 4,
    http: 409,
  },
  GIT_UNSIGNED: {
    sentence: 'the commit could not be signed ({reason}); mend the key, or set commit.gpgsign to false',
    exit: 1,
    http: 500,
  },
} as const satisfies Record<string, ErrorKind>
