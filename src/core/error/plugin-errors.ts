// The part of the error table that is about the Claude Code plugin in the user's repository.
import type { ErrorKind } from './error.ts'

export const pluginErrors = {
  SETTINGS_BAD: { sentence: '{path}: {problem}; mend it, and nothing of yours in it is lost', exit: 1, http: 422 },
  PLUGIN_MISSING: {
    sentence: 'the Claude Code plugin is not where Ralph was installed; install Ralph again',
    exit: 1,
    http: 500,
  },
} as const satisfies Record<string, ErrorKind>
