import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { refused } from '../../../test/arbitraries/refusal.ts'
import {
  judgeMove,
  legalMoves,
  PIPELINE_PHASES,
  type PipelinePhase,
  type PipelinePlace,
  placeAfter,
  type Prerequisite,
  requireMove,
} from './pipeline.ts'

const ALL: readonly Prerequisite[] = ['spec', 'project', 'answers', 'completeBuild', 'shipGate']
const at = (phase: PipelinePhase, resumes: PipelinePhase | null = null): PipelinePlace => ({ phase, resumes })

/** Rows: from; the legal moves, and the work that they start. Every other move is illegal. */
const moves: readonly [PipelinePlace, Readonly<Partial<Record<PipelinePhase, string | null>>>][] = [
  [at('ideation'), { ideation_ready: null, paused: null, failed: null }],
  [at('ideation_ready'), { ideation: null, specification: 'specify', spec_ready: null, paused: null, failed: null }],
  [at('specification'), { ideation_ready: null, spec_ready: null, paused: null, failed: null }],
  [at('spec_ready'), { specification: 'specify', building: 'build', paused: null, failed: null }],
  [at('building'), { build_review: null, paused: 'pauseBuild', failed: 'abortBuild' }],
  [at('build_review'), { specification: 'specify', building: 'build', deployed: 'ship', paused: null, failed: null }],
  [at('deployed'), { specification: 'specify', build_review: null }],
  [at('paused', 'building'), { building: 'resumeBuild', failed: 'abortBuild' }],
  [at('paused', 'spec_ready'), { spec_ready: null, failed: null }],
  [at('failed', 'building'), { building: 'build', specification: 'specify', ideation: null }],
  [at('failed', 'specification'), { specification: 'specify', ideation: null }],
]

describe('every pair of phases', () => {
  const pairs = moves.flatMap(([from, legal]) => PIPELINE_PHASES.map((to) => ({ from, to, legal })))

  it.each(pairs)('$from.phase ($from.resumes) -> $to', ({ from, to, legal }) => {
    const starts = legal[to]
    expect(judgeMove(from, { to, met: ALL, missing: 'refused' })).toEqual(
      starts === undefined ? { is: 'illegal', legal: legalMoves(from) } : { is: 'legal', starts, overridden: [] },
    )
    expect(legalMoves(from).includes(to)).toBe(starts !== undefined)
  })

  it('is in the table', () => {
    expect(new Set(moves.map(([{ phase }]) => phase))).toEqual(new Set(PIPELINE_PHASES))
  })
})

describe('what a move needs', () => {
  it.each<[from: PipelinePlace, to: PipelinePhase, lacks: Prerequisite[]]>([
    [at('specification'), 'spec_ready', ['spec']],
    [at('spec_ready'), 'building', ['spec', 'project']],
    [at('building'), 'build_review', ['completeBuild']],
    [at('build_review'), 'deployed', ['completeBuild', 'shipGate']],
    [at('paused', 'building'), 'building', ['answers']],
  ])('%o -> %s', (from, to, lacks) => {
    expect(judgeMove(from, { to, met: [], missing: 'refused' })).toEqual({ is: 'unready', lacks })
  })

  it('is not asked for again when it goes on where it was paused', () => {
    const request = { to: 'spec_ready', met: [], missing: 'refused' } as const
    expect(judgeMove(at('paused', 'spec_ready'), request)).toEqual({ is: 'legal', starts: null, overridden: [] })
  })

  it.each<[name: string, from: PipelinePlace, to: PipelinePhase, met: Prerequisite[], verdict: object]>([
    [
      'a spec that is only in words',
      at('spec_ready'),
      'building',
      ['project'],
      { is: 'legal', starts: 'build', overridden: ['spec'] },
    ],
    [
      'a deploy by hand, which starts nothing',
      at('build_review'),
      'deployed',
      ['completeBuild'],
      { is: 'legal', starts: null, overridden: ['shipGate'] },
    ],
    ['never a repository', at('spec_ready'), 'building', ['spec'], { is: 'unready', lacks: ['project'] }],
    ['never an answer', at('paused', 'building'), 'building', [], { is: 'unready', lacks: ['answers'] }],
    [
      'nothing where nothing is missing',
      at('build_review'),
      'deployed',
      [...ALL],
      { is: 'legal', starts: 'ship', overridden: [] },
    ],
  ])('a person may let pass: %s', (_, from, to, met, verdict) => {
    expect(judgeMove(from, { to, met, missing: 'overridden' })).toEqual(verdict)
  })
})

describe('a refused move', () => {
  it('names the legal ones', () => {
    const move = () => requireMove('i_1', at('ideation'), { to: 'deployed', met: ALL, missing: 'refused' })
    expect(refused(move)).toEqual([
      'IDEA_MOVE_ILLEGAL',
      "idea 'i_1' cannot go from ideation to deployed; from there it can go to ideation_ready, paused, failed",
    ])
  })

  it('says what is missing', () => {
    const move = () => requireMove('i_1', at('spec_ready'), { to: 'building', met: [], missing: 'refused' })
    expect(refused(move)).toEqual([
      'IDEA_NOT_READY',
      "idea 'i_1' cannot go to building: it has no spec yet; it has no repository and base branch to be built in",
    ])
  })
})

describe('on any way through the pipeline', () => {
  const walks = fc.array(fc.nat(9), { maxLength: 40 })

  it('there is always a way on, never to where it is, and none leads nowhere', () => {
    fc.assert(
      fc.property(walks, (choices) => {
        let place = at('ideation')
        for (const choice of choices) {
          const legal = legalMoves(place)
          expect(legal.length).toBeGreaterThan(0)
          expect(legal).not.toContain(place.phase)
          place = placeAfter(place, legal[choice % legal.length] as PipelinePhase)
          expect(place.resumes === null).toBe(place.phase !== 'paused' && place.phase !== 'failed')
          expect(['paused', 'failed']).not.toContain(place.resumes)
        }
      }),
    )
  })

  it('every phase can be reached, and from every place deployed can be', () => {
    const key = ({ phase, resumes }: PipelinePlace) => `${phase}:${resumes}`
    const reachable = (from: PipelinePlace) => {
      const found = new Map([[key(from), from]])
      for (const place of found.values())
        for (const to of legalMoves(place)) {
          const next = placeAfter(place, to)
          if (!found.has(key(next))) found.set(key(next), next)
        }
      return [...found.values()]
    }
    const places = reachable(at('ideation'))
    expect(new Set(places.map(({ phase }) => phase))).toEqual(new Set(PIPELINE_PHASES))
    for (const place of places) expect(reachable(place).map(({ phase }) => phase)).toContain('deployed')
  })
})
