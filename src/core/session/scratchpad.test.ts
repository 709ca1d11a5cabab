import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  boundedScratchpad,
  parseScratchpad,
  renderScratchpad,
  SCRATCHPAD_BYTES_MAX,
  type ScratchpadText,
} from './scratchpad.ts'

const bytesOf = (text: string): number => Buffer.byteLength(text, 'utf8')

const nastyLine = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.constantFrom(
    '## Blockers',
    '\\## Blockers',
    '## Test status and more',
    '## next step\r',
    '# Iteration 7 Scratchpad',
    '## My own heading',
    '```',
    '',
    '   ',
    '\u{1F600}',
  ),
)
const nastyText = fc.array(nastyLine, { maxLength: 8 }).map((lines) => lines.join('\n').trim())
const anyText: fc.Arbitrary<ScratchpadText> = fc.record({
  done: nastyText,
  testStatus: nastyText,
  nextStep: nastyText,
  blockers: nastyText,
})

const small: ScratchpadText = { done: 'Added login', testStatus: '3 pass', nextStep: 'Logout', blockers: 'none' }

describe('renderScratchpad', () => {
  it('writes the four headings', () => {
    expect(renderScratchpad(3, { ...small, done: ' \nAdded login\n\n', blockers: 'none ' })).toBe(
      `# Iteration 3 Scratchpad

## Done this iteration
Added login

## Test status
3 pass

## Next step
Logout

## Blockers
none
`,
    )
  })

  it('is read back as it was, whatever headings the texts hold', () => {
    fc.assert(
      fc.property(fc.nat(), anyText, (iteration, text) => {
        expect(parseScratchpad(renderScratchpad(iteration, text))).toEqual({ iteration, ...text })
      }),
    )
  })

  it('never exceeds the bound and never splits a character', () => {
    const unit = fc.constantFrom('a', 'é', '漢', '\u{1F600}', '\n## Blockers', '\n')
    const long = fc.tuple(unit, fc.nat({ max: 12_000 })).map(([text, times]) => text.repeat(times))
    const longText = fc.record({ done: long, testStatus: long, nextStep: long, blockers: long })
    fc.assert(
      fc.property(fc.nat(), longText, (iteration, text) => {
        const file = renderScratchpad(iteration, text)
        expect(bytesOf(file)).toBeLessThanOrEqual(SCRATCHPAD_BYTES_MAX)
        expect(file).not.toMatch(/\p{Cs}/u)
      }),
      { numRuns: 60 },
    )
  })

  it('keeps the short texts whole, cuts the long ones and says so', () => {
    const file = renderScratchpad(1, { ...small, done: '漢'.repeat(20_000), testStatus: 'x'.repeat(9_000) })
    const read = parseScratchpad(file)
    const cutNote = /^(.+)\n\[cut here: (\d+) bytes left out\]$/
    const [, done = '', doneLeftOut] = cutNote.exec(read?.done ?? '') ?? []
    const [, testStatus = '', testLeftOut] = cutNote.exec(read?.testStatus ?? '') ?? []
    expect(read).toMatchObject({ nextStep: small.nextStep, blockers: small.blockers })
    expect([bytesOf(done) + Number(doneLeftOut), testStatus.length + Number(testLeftOut)]).toEqual([60_000, 9_000])
    expect(bytesOf(file)).toBeGreaterThan(SCRATCHPAD_BYTES_MAX - 100)
  })

  it('cannot be made to fake a heading by where it is cut', () => {
    const heading = '## Blockers'
    for (let pad = 3_900; pad < 4_010; pad += 1) {
      const done = `${'x'.repeat(pad)}\n${heading} are what I fear`
      const read = parseScratchpad(renderScratchpad(1, { ...small, done, testStatus: 'y'.repeat(9_000) }))
      expect(read?.blockers).toBe(small.blockers)
    }
  })
})

describe('parseScratchpad', () => {
  const cases: [string, string, ReturnType<typeof parseScratchpad>][] = [
    ['free text', 'I fixed it', null],
    ['nothing', '', null],
    [
      'a file an agent wrote with CRLF, in its own order',
      '## Next step  \r\n\r\nLogout\r\n## done THIS iteration\r\n- a\r\n### Details\r\nb\r\n',
      { iteration: null, done: '- a\r\n### Details\r\nb', testStatus: '', nextStep: 'Logout', blockers: '' },
    ],
    [
      'a heading given twice',
      '# Iteration 2 Scratchpad\n## Blockers\none\n## Next step\nx\n## Blockers\ntwo',
      { iteration: 2, done: '', testStatus: '', nextStep: 'x', blockers: 'one\ntwo' },
    ],
    [
      'headings that only resemble ours',
      '## Blockers\n## Blockers?\n### Next step\n ## Test status\n##  Next step',
      {
        iteration: null,
        done: '',
        testStatus: '',
        nextStep: '',
        blockers: '## Blockers?\n### Next step\n ## Test status\n##  Next step',
      },
    ],
  ]
  it.each(cases)('reads %s', (_, file, expected) => {
    expect(parseScratchpad(file)).toEqual(expected)
  })
})

describe('boundedScratchpad', () => {
  it('leaves what fits alone and cuts the rest', () => {
    const fits = 'é'.repeat(SCRATCHPAD_BYTES_MAX / 2)
    expect(boundedScratchpad(fits)).toBe(fits)
    const bounded = boundedScratchpad(`${fits}!`)
    expect(bounded).toMatch(/^é+\n\[cut here: \d+ bytes left out\]$/)
    expect(bytesOf(bounded)).toBeLessThanOrEqual(SCRATCHPAD_BYTES_MAX)
  })
})
