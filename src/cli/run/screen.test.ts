import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openScreen } from './screen.ts'

// eslint-disable-next-line no-control-regex
const PIECES = /\u001B\[([?\d]*)([A-Za-z])|[^]/gu

/** As much of a terminal as the live part uses. */
function terminal(columns: number) {
  const rows: string[] = ['']
  let [row, column] = [0, 0]
  const feed = (): void => {
    row += 1
    if (rows[row] === undefined) rows.push('')
  }
  const write = (text: string): void => {
    for (const [piece, code, letter] of text.matchAll(PIECES)) {
      if (letter === 'A') row -= Number(code)
      else if (letter === 'J') rows.splice(row, rows.length, (rows[row] ?? '').slice(0, column))
      else if (letter !== undefined) expect(code).toBe('?2026')
      else if (piece === '\r') column = 0
      else if (piece === '\n') [column] = [0, feed()]
      else {
        if (column === columns) [column] = [0, feed()]
        rows[row] = (rows[row] ?? '').slice(0, column) + piece
        column += 1
      }
    }
  }
  return { write, rows }
}

const line = fc.stringMatching(/^[a-z]{0,19}$/)
const act = fc.oneof(
  fc.record({ above: fc.array(line, { minLength: 1, maxLength: 3 }) }),
  fc.record({ draw: fc.array(line, { minLength: 1, maxLength: 4 }) }),
  fc.record({ clear: fc.constant(true) }),
)

describe('the live part', () => {
  it('always stands below what stays, and leaves nothing of itself behind', () => {
    fc.assert(
      fc.property(fc.array(act, { maxLength: 12 }), (acts) => {
        const { write, rows } = terminal(20)
        const screen = openScreen(write, () => 20)
        const stays: string[] = []
        let live: readonly string[] = []
        for (const each of acts) {
          if ('above' in each) {
            screen.above(each.above.map((text) => `${text}\n`).join(''), live)
            stays.push(...each.above)
          } else if ('draw' in each) {
            screen.draw(each.draw)
            live = each.draw
          } else {
            screen.clear()
            live = []
          }
          expect(rows).toEqual([...stays, ...(live.length === 0 ? [''] : live)])
        }
      }),
    )
  })

  it('is not drawn again where nothing changed', () => {
    const written: string[] = []
    const screen = openScreen(
      (text) => written.push(text),
      () => 80,
    )
    screen.draw(['a', 'b'])
    screen.draw(['a', 'b'])
    expect(written).toEqual(['\u001B[?2026ha\nb\u001B[?2026l'])
  })

  it('goes away whole in a window that became narrower', () => {
    const written: string[] = []
    let columns = 40
    const screen = openScreen(
      (text) => written.push(text),
      () => columns,
    )
    screen.draw(['x'.repeat(39), 'y'])
    columns = 20
    screen.clear()
    expect(written[1]).toBe('\u001B[?2026h\r\u001B[2A\u001B[J\u001B[?2026l')
  })
})
