// What the probes add up to: one word, and one sentence that a person understands.
//
//                                | witness and a kill | kill, no witness | nothing killed | cannot be broken
//   claims behaviour, code, data | proved             | thin             | thin           | thin
//   claims nothing, code         | kept               | kept             | thin           | thin
//   claims nothing, data         | kept               | kept             | kept: no check reads it
//   claims nothing, inert        | kept, since every check is green
//   claims behaviour, inert      | thin
//   tests alone                  | proved where a new test kills a break of the code that it reaches; kept where none is
//                                | new and an old one does; else thin
//
// A probe that was left out for lack of time, or that the operator turned off, makes nothing thin: then a witness or a
// kill is enough.
import type { Break, ProbeName, ProbeReport } from '../evidence/probe-report.ts'
import type { Strength } from '../fact/strength.ts'
import { sealedText } from '../sealed/judge-examples.ts'

export type Examined = Pick<
  ProbeReport,
  'claim' | 'kind' | 'witnesses' | 'areFilesThere' | 'newTests' | 'breaks' | 'skipped' | 'accepted' | 'sealed'
>

export interface StrengthVerdict {
  readonly strength: Strength
  readonly sentence: string
}

export function strengthOf(examined: Examined): StrengthVerdict {
  const { strength, why } = judged(examined)
  const sealed = examined.sealed === undefined ? null : sealedText(examined.sealed)
  return { strength, sentence: `${strength}: ${why}${sealed === null ? '' : `; ${sealed}`}` }
}

interface Judged {
  readonly strength: Strength
  readonly why: string
}

function judged(examined: Examined): Judged {
  const { claim, kind, accepted } = examined
  if (isOff(examined, 'witness') && isOff(examined, 'sabotage'))
    return kept('the checks are green; the probes witness and sabotage are turned off')
  if (examined.areFilesThere === true) return kept("no tests run yet, and the task's files are there")
  if (accepted.length > 0) return kept(`[evidence] accept covers every changed file (${accepted.join(', ')})`)
  switch (kind) {
    case 'nothing':
      return claim === 'none' ? kept('nothing was changed') : thin('nothing was changed')
    case 'inert':
    case 'generated':
      return claim === 'none' ? kept(`${untouched[kind]}, and every check is green`) : thin(untouched[kind])
    case 'tests':
      return ofTests(examined)
    case 'code':
    case 'data':
      return claim === 'none' ? ofUnchangedBehaviour(examined) : ofBehaviour(examined)
  }
}

const untouched: Readonly<Record<'inert' | 'generated', string>> = {
  inert: 'nothing that runs was changed',
  generated: 'only generated files were changed',
}

function ofBehaviour(examined: Examined): Judged {
  const { witnesses, breaks } = examined
  const isSeen = witnesses.count > 0
  const isNoticed = noticed(breaks).length > 0
  const lacks = (probe: ProbeName): boolean => examined.skipped.some((one) => one.probe === probe)
  if (isSeen && isNoticed) return proved([witnessText(examined), ...breaksText(breaks)])
  if (isSeen && lacks('sabotage')) return proved([witnessText(examined), notMade(examined, 'sabotage')])
  if (isNoticed && lacks('witness')) return proved([...breaksText(breaks), notMade(examined, 'witness')])
  if ((witnesses.blind ?? 0) > 0)
    return thin(
      `${witnessText({ ...examined, witnesses: { ...witnesses, count: witnesses.blind ?? 0 } })}, but notice no break of it`,
    )
  if (isSeen) return thin(`${unnoticedText(breaks)}, although ${witnessText(examined)}`)
  if (isNoticed) return thin(`no test fails without this change${survivorsText(breaks)}`)
  return thin(unnoticedText(breaks))
}

function ofUnchangedBehaviour(examined: Examined): Judged {
  const { breaks, kind } = examined
  if (noticed(breaks).length > 0) return kept(['nothing new is claimed', ...breaksText(breaks)].join('; '))
  if (examined.witnesses.count > 0) return kept(`nothing new is claimed; ${witnessText(examined)}`)
  if (kind === 'data') return kept('nothing new is claimed, and no check reads the changed files')
  if (examined.skipped.some(({ probe }) => probe === 'sabotage'))
    return kept(`nothing new is claimed, and every check is green; ${notMade(examined, 'sabotage')}`)
  return thin(unnoticedText(breaks))
}

function ofTests(examined: Examined): Judged {
  const { witnesses, breaks, claim } = examined
  if (claim === 'behaviour') return thin('only tests were changed')
  if (witnesses.count > 0) return proved([witnessText(examined), ...breaksText(breaks)])
  if (examined.newTests === 0 && noticed(breaks).length > 0)
    return kept(['only tests were changed, and none is new', ...breaksText(breaks)].join('; '))
  if (examined.skipped.some(({ probe }) => probe === 'sabotage'))
    return kept(`only tests were changed, and every check is green; ${notMade(examined, 'sabotage')}`)
  return thin('no new test fails when the code that it uses is broken')
}

function proved(parts: readonly string[]): Judged {
  return { strength: 'proved', why: parts.join('; ') }
}

function kept(why: string): Judged {
  return { strength: 'kept', why }
}

function thin(why: string): Judged {
  return { strength: 'thin', why }
}

function isOff({ skipped }: Pick<Examined, 'skipped'>, probe: ProbeName): boolean {
  return skipped.some((one) => one.probe === probe && one.why === TURNED_OFF)
}

export const TURNED_OFF = 'turned off'

/** `the sabotage was left out: no time left` */
function notMade({ skipped }: Pick<Examined, 'skipped'>, probe: ProbeName): string {
  return `${probe} was left out (${skipped.find((one) => one.probe === probe)?.why ?? 'unknown'})`
}

function noticed(breaks: readonly Break[]): Break[] {
  return breaks.filter(({ result }) => result === 'noticed')
}

function witnessText({ witnesses, kind }: Pick<Examined, 'witnesses' | 'kind'>): string {
  const { count } = witnesses
  const tests = count === 1 ? '1 test fails' : `${count} tests fail`
  if (kind === 'tests') return `${tests} when the code is broken`
  return `${tests} without this change`
}

/** `4 of 5 mutants noticed`, with the survivors; emptied files count only where there is no mutant. */
function breaksText(breaks: readonly Break[]): string[] {
  const mutants = breaks.filter(({ how, result }) => how === 'mutant' && result !== 'unclear')
  const clear = mutants.length > 0 ? mutants : breaks.filter(({ result }) => result !== 'unclear')
  if (clear.length === 0) return []
  const word = mutants.length > 0 ? 'mutant' : 'break'
  const words = clear.length === 1 ? word : `${word}s`
  return [`${noticed(clear).length} of ${clear.length} ${words} noticed${survivorsText(breaks)}`]
}

const SURVIVORS_SHOWN_MAX = 2

/** ` (not noticed: src/cart.js:12: < became <=)` */
function survivorsText(breaks: readonly Break[]): string {
  const survived = breaks.filter(({ result }) => result === 'survived').map(({ what }) => what)
  if (survived.length === 0) return ''
  const more = survived.length - SURVIVORS_SHOWN_MAX
  return ` (not noticed: ${survived.slice(0, SURVIVORS_SHOWN_MAX).join('; ')}${more > 0 ? `; and ${more} more` : ''})`
}

function unnoticedText(breaks: readonly Break[]): string {
  const survived = breaks.find(({ result }) => result === 'survived')
  if (survived !== undefined) return `no test fails when ${survived.what}`
  return breaks.length > 0
    ? 'the changed code cannot be broken in a way that still builds, so nothing shows that a test sees it'
    : 'nothing shows that a test sees this change'
}
