// The options of `ralph build`.
import { AGENT_NAMES, type AgentName } from '../../config/settings/config.ts'
import type { Budget } from '../../core/money/budget.ts'
import { refuse } from '../../core/error/error.ts'
import { WORKERS_MAX } from '../../core/values/limits.ts'
import type { Claims, RunLimits } from '../../operations/builds/run-build.ts'
import type { Flag } from '../arguments.ts'
import type { Call } from '../command.ts'

export interface BuildOptions {
  readonly limits: RunLimits
  /** Null: as the settings of the build say. */
  readonly workers: number | null
  readonly agent: AgentName | null
  /** `try`: does not wait for limits that were met before this run. */
  readonly limited: 'wait' | 'try'
  /** The budget of the whole build; a missing part means that no flag set it. */
  readonly budget: Partial<Budget>
  /** Who chooses the task of a session. */
  readonly claim: Claims
  /** For a new build; an unfinished one has its own setting. */
  readonly where: 'isolated' | 'in-place'
}

const ITERATIONS_MAX = 1_000_000
/** As in ralph.toml. */
const USD_MAX = 1_000_000
const TOKENS_MAX = 1_000_000_000_000

export const BUILD_FLAGS: readonly Flag[] = [
  { long: 'once', takes: 'nothing', about: 'one iteration, then stop' },
  { long: 'dry-run', takes: 'nothing', about: 'say what would be done, and change nothing' },
  { long: 'max-iterations', short: 'n', takes: 'value', value: 'N', about: 'at most so many iterations in this run' },
  { long: 'until', takes: 'value', value: 'HH:MM', about: 'begin no iteration after this time of day' },
  { long: 'workers', takes: 'value', value: 'N', about: 'so many tasks at the same time; default: [limits] workers' },
  { long: 'in-place', takes: 'nothing', about: 'the agent works in your checkout, which must be clean' },
  { long: 'budget', takes: 'value', value: 'USD', about: 'what the build may cost in all; 0: no limit' },
  { long: 'budget-tokens', takes: 'value', value: 'N', about: 'tokens it may use in all; 0: no limit' },
  { long: 'no-wait', takes: 'nothing', about: 'try at once what waits for a limit of its agent' },
  { long: 'agent', takes: 'value', value: 'NAME', about: AGENT_NAMES.join(', ') },
  {
    long: 'claim',
    takes: 'value',
    value: 'WHO',
    about: 'engine: each session gets its task (default); agent: it chooses',
  },
]

export function readBuildOptions({ flags }: Pick<Call, 'flags'>, now: number): BuildOptions {
  const [iterations, until, agent] = [flags.get('max-iterations'), flags.get('until'), flags.get('agent')]
  if (flags.has('once') && iterations !== undefined) throw refuse('FLAGS_CONFLICT', { one: '--once', other: '-n' })
  const workersFlag = flags.get('workers')
  const workers = workersFlag === undefined ? null : positive('--workers', workersFlag, WORKERS_MAX)
  if (flags.has('in-place') && workers !== null && workers > 1) throw refuse('IN_PLACE_ALONE')
  return {
    limits: {
      mode: flags.has('once') ? 'one-iteration' : 'to-the-end',
      iterationsMax: iterations === undefined ? null : positive('-n', iterations, ITERATIONS_MAX),
      until: until === undefined ? null : nextTime(until, now),
    },
    workers,
    agent: agent === undefined ? null : knownAgent(agent),
    limited: flags.has('no-wait') ? 'try' : 'wait',
    budget: readBudget(flags),
    claim: claims(flags.get('claim') ?? 'engine'),
    where: flags.has('in-place') ? 'in-place' : 'isolated',
  }
}

function positive(flag: string, text: string, max: number): number {
  if (!/^\d{1,15}$/.test(text) || Number(text) < 1 || Number(text) > max)
    throw refuse('USAGE', { message: `${flag} must be a whole number from 1 to ${max}` })
  return Number(text)
}

function readBudget(flags: Call['flags']): Partial<Budget> {
  const [usd, tokens] = [flags.get('budget'), flags.get('budget-tokens')]
  if (usd !== undefined && (!/^\$?\d{1,7}(\.\d{1,6})?$/.test(usd) || Number(usd.replace('$', '')) > USD_MAX))
    throw refuse('USAGE', { message: `--budget must be an amount of US dollars from 0 to ${USD_MAX}, such as 7.50` })
  if (tokens !== undefined && (!/^\d{1,15}$/.test(tokens) || Number(tokens) > TOKENS_MAX))
    throw refuse('USAGE', { message: `--budget-tokens must be a whole number from 0 to ${TOKENS_MAX}` })
  return {
    ...(usd === undefined ? {} : { usd: Number(usd.replace('$', '')) || null }),
    ...(tokens === undefined ? {} : { tokens: Number(tokens) || null }),
  }
}

/** The next moment at which local clocks show this time, or the first one after it where the clock is put forward. */
export function nextTime(text: string, now: number): number {
  const [, hour, minute] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text) ?? []
  if (hour === undefined || minute === undefined)
    throw refuse('USAGE', { message: '--until must be a time of day such as 06:30' })
  const at = new Date(now)
  at.setHours(Number(hour), Number(minute), 0, 0)
  if (at.getTime() <= now) at.setDate(at.getDate() + 1)
  return at.getTime()
}

function claims(who: string): Claims {
  if (who !== 'engine' && who !== 'agent') throw refuse('USAGE', { message: `--claim must be 'engine' or 'agent'` })
  return who
}

export function knownAgent(name: string): AgentName {
  const known = AGENT_NAMES.find((agent) => agent === name)
  if (known === undefined) throw refuse('USAGE', { message: `unknown agent '${name}', use ${AGENT_NAMES.join(', ')}` })
  return known
}
