// The options of `ralph plan`.
import { AGENT_NAMES, type AgentName } from '../../config/settings/config.ts'
import { refuse } from '../../core/error/error.ts'
import { LIST_FORMS, type PlanForm } from '../../core/plan/plan-form.ts'
import type { Flag } from '../arguments.ts'
import { knownAgent } from '../run/options.ts'
import type { Call } from '../command.ts'

const FORMS: readonly PlanForm[] = ['spec', ...LIST_FORMS]

export const PLAN_FLAGS: readonly Flag[] = [
  { long: 'dry-run', takes: 'nothing', about: 'print the plan, and write nothing; a planner is asked all the same' },
  { long: 'out', short: 'o', takes: 'value', value: 'FILE', about: 'write a progress file instead of tasks' },
  { long: 'force', takes: 'nothing', about: 'let --out replace a file' },
  { long: 'as', takes: 'value', value: 'FORM', about: `what the file is, if it is not seen: ${FORMS.join(', ')}` },
  { long: 'agent', takes: 'value', value: 'NAME', about: `who plans: ${AGENT_NAMES.join(', ')}` },
]

export interface PlanOptions {
  readonly word: string
  readonly keep: 'store' | 'file' | 'nothing'
  readonly out: string | null
  readonly replace: 'never' | 'allowed'
  readonly as: PlanForm | null
  readonly agent: AgentName | null
}

export function readPlanOptions({ words, flags }: Pick<Call, 'words' | 'flags'>): PlanOptions {
  const [word] = words
  const [out = null, as, agent] = [flags.get('out'), flags.get('as'), flags.get('agent')]
  if (word === undefined)
    throw refuse('USAGE', { message: 'say what is to be planned: a goal in words, a file, or - for stdin' })
  if (out !== null && flags.has('dry-run')) throw refuse('FLAGS_CONFLICT', { one: '--out', other: '--dry-run' })
  if (out === null && flags.has('force')) throw refuse('USAGE', { message: '--force needs --out FILE' })
  if (out === '') throw refuse('USAGE', { message: '--out needs the name of a file' })
  return {
    word,
    keep: flags.has('dry-run') ? 'nothing' : out === null ? 'store' : 'file',
    out,
    replace: flags.has('force') ? 'allowed' : 'never',
    as: as === undefined ? null : knownForm(as),
    agent: agent === undefined ? null : knownAgent(agent),
  }
}

function knownForm(name: string): PlanForm {
  const known = FORMS.find((form) => form === name)
  if (known === undefined) throw refuse('USAGE', { message: `unknown form '${name}', use ${FORMS.join(', ')}` })
  return known
}
