// The live view on a real terminal, as util-linux' `script` makes one.
import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { RALPH } from '../rig/scratch.ts'
import { project, type Project } from '../rig/project.ts'
import { work } from '../rig/sessions.ts'

const two = {
  role: 'implementer',
  task: 'two',
  steps: [{ say: '\u001B[2Jreading\n\u0007' }, { sleep: 400 }, ...work('two')],
}
const hasScript = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') ?? false
const missing = hasScript ? null : "there is no util-linux 'script' to make a terminal with"

function onTerminal(made: Project, setting: string, env: Record<string, string> = {}): string {
  const line = `${setting}; exec '${process.execPath}' '${RALPH}' build`
  const { stdout } = spawnSync('script', ['--quiet', '--return', '--command', line, '/dev/null'], {
    cwd: made.folder,
    env: { ...made.env, TERM: 'xterm', SHELL: '/bin/sh', ...env },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return stdout
}

/** The final content of the terminal, and its widest line at any time. */
function shown(output: string): { readonly rows: string[]; readonly widest: number } {
  const rows: string[] = ['']
  let [row, column, widest] = [0, 0, 0]
  for (const [piece, code = '', letter] of output.matchAll(PIECES)) {
    if (letter === 'A') row -= Number(code)
    else if (letter === 'J') rows.splice(row, rows.length, (rows[row] ?? '').slice(0, column))
    else if (piece === '\r') column = 0
    else if (piece === '\n') {
      row += 1
      if (rows[row] === undefined) rows.push('')
    } else if (letter === undefined) {
      rows[row] = (rows[row] ?? '').slice(0, column) + piece
      column += 1
      widest = Math.max(widest, column)
    }
  }
  return { rows, widest }
}

// eslint-disable-next-line no-control-regex
const PIECES = /\u001B\[([?\d;]*)([A-Za-z])|[^]/gu

describe('the live view', () => {
  it('shows how far it is while it works, and leaves only the story behind', ({ skip }) => {
    if (missing !== null) skip(missing)
    const made = project({ script: [two] })
    const output = onTerminal(made, 'stty rows 24 cols 80')
    expect(output).toContain(' 0/1 tasks · 1 iteration · 0:0')
    expect(output).toContain('agent at work · attempt 1, iteration 1 · 0:0')
    expect(output).toContain('  │ reading')
    expect(output).toContain('\u001B[32m')
    const { rows } = shown(output)
    expect(rows.filter((line) => /tasks ·|agent at work|│/.test(line))).toEqual([])
    expect(rows.map((line) => line.replace(/^\d\d:\d\d:\d\d {2}/, '')).slice(1, 7)).toEqual([
      expect.stringMatching(/^Claims: one task claims new behaviour/),
      'build started: 1 task',
      'running setup and checks on HEAD first …',
      expect.stringMatching(/^unit: 1 test green/),
      'two: attempt 1: Add two',
      'two: iteration 1.1',
    ])
    expect(rows.join('\n')).toContain('\nAll tasks are complete.\n')
  })

  it('fits a narrow window, and has no colour where NO_COLOR is set', ({ skip }) => {
    if (missing !== null) skip(missing)
    const made = project({ script: [two] })
    const output = onTerminal(made, 'stty rows 24 cols 30', { NO_COLOR: '1' })
    expect(output).not.toMatch(COLOUR)
    const live = output
      .split('\u001B[?2026h')
      .flatMap((frame) => frame.split('\n').filter((line) => /tasks ·|│/.test(line)))
    expect(live.length).toBeGreaterThan(0)
    expect(shown(live.join('\r\n')).widest).toBeLessThan(30)
  })

  it('is plain lines on a terminal that can do nothing', ({ skip }) => {
    if (missing !== null) skip(missing)
    const output = onTerminal(project({ script: [two] }), 'true', { TERM: 'dumb', NO_COLOR: '1' })
    expect(output).not.toContain('\u001B')
    expect(output).toContain('two: done, merged as ')
  })
})

// eslint-disable-next-line no-control-regex
const COLOUR = /\u001B\[[\d;]*m/
