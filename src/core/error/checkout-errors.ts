// What stands against working in a repository, or in the user's own checkout (`ralph build --in-place`): a part of the
// table in error.ts.
import type { ErrorKind } from './error.ts'

export const checkoutErrors = {
  BRANCH_IN_THE_WAY: {
    sentence:
      "your branch '{branch}' leaves no room for a build's branch '{branch}/BUILD' (git cannot have both); rename it with 'git branch -m {branch} NEW-NAME' and start again",
    exit: 1,
    http: 409,
  },
  CONVERSION_UNSUPPORTED: {
    sentence:
      '{path} has {rule}, so git converts it on checkout; Ralph takes files byte for byte and does not support that yet: {mend}',
    exit: 1,
    http: 409,
  },
  CHECKOUT_MISSING: {
    sentence: 'there is no checkout here to work in; go to one, or build without --in-place',
    exit: 1,
    http: 409,
  },
  CHECKOUT_DIRTY: {
    sentence: '--in-place needs a clean checkout; not committed: {paths}; commit, stash or ignore that first',
    exit: 1,
    http: 409,
  },
  CHECKOUT_DETACHED: {
    sentence: "--in-place needs a branch to come back to, and HEAD is detached; 'git switch' to one first",
    exit: 1,
    http: 409,
  },
  CHECKOUT_UNBORN: {
    sentence: '--in-place needs a commit to come back to, and there is none yet; commit something first',
    exit: 1,
    http: 409,
  },
  CHECKOUT_CONVERTED: {
    sentence:
      'git keeps {path} otherwise than it lies in your checkout (line ends, a filter, a sparse checkout), so --in-place cannot work here; build without it',
    exit: 1,
    http: 409,
  },
  CHECKOUT_ELSEWHERE: { sentence: '{branch} is checked out in {folder}; go on there', exit: 1, http: 409 },
  CHECKOUT_LEFT: {
    sentence:
      "build '{build}' works in {folder} on {branch}, and that is on {name} now; 'git switch {branch}' there, then 'ralph build' goes on",
    exit: 1,
    http: 409,
  },
  CHECKOUT_COMMITTED: {
    sentence:
      "{branch} has a commit that Ralph did not make ({commit}); 'git reset --soft {head}' takes it off and leaves its changes in your files, then 'ralph build' goes on",
    exit: 1,
    http: 409,
  },
  CHECKOUT_BUSY: {
    sentence: 'another process works in {folder}; wait for it, or stop it',
    exit: 1,
    http: 409,
    retryable: true,
  },
  IN_PLACE_ALONE: {
    sentence: 'in place one task is worked on at a time; leave --workers out',
    exit: 1,
    http: 422,
  },
  NOT_IN_PLACE: {
    sentence: "build '{id}' was not started with --in-place; go on without it, or end it with 'ralph abort' first",
    exit: 1,
    http: 409,
  },
} as const satisfies Record<string, ErrorKind>
