// The part of the error table that is about a build as a whole.
import type { ErrorKind } from './error.ts'

export const buildErrors = {
  BUILD_NOT_FOUND: { sentence: "build '{id}' not found", exit: 2, http: 404 },
  SANDBOX_MISSING: {
    sentence:
      'ralph.toml says [sandbox] mode = "required", and this version has no sandbox; run ralph in a container or a virtual machine and set mode = "off"',
    exit: 1,
    http: 409,
  },
  NO_BUILD: { sentence: "there is no build {where} yet; start one with 'ralph build'", exit: 2, http: 404 },
  BUILD_STATE: { sentence: "build '{id}' is {state} and cannot be {done}", exit: 1, http: 409 },
  BUILD_NOT_PAUSED: {
    sentence: "build '{id}' is not paused; 'ralph build' goes on with it where no loop works on it",
    exit: 1,
    http: 409,
  },
  BUILD_UNFINISHED: {
    sentence: "build '{id}' over {plan} is not finished; go on with 'ralph build', or end it with 'ralph abort' first",
    exit: 1,
    http: 409,
  },
  BASELINE_FAILED: { sentence: 'no agent was started: {problem}', exit: 3, http: 409 },
  BUILD_DRIVEN: {
    sentence: "a loop works on {what} of build '{id}'; let it run, or pause it first with 'ralph pause'",
    exit: 1,
    http: 409,
  },
} as const satisfies Record<string, ErrorKind>
