// Draws the output of a command as a picture of a terminal: node scripts/picture.ts OUT.svg LINES COMMAND…
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'

const [out = 'picture.svg', linesMax = '40', ...argv] = process.argv.slice(2)
const [program = 'true', ...rest] = argv
const { stdout } = spawnSync(program, rest, { encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } })
const lines = stdout.split('\n').slice(0, Number(linesMax))

const LINE_HEIGHT = 18
const CHARACTER_WIDTH = 8
const EDGE = 20
const width = Math.max(...lines.map((line) => line.length)) * CHARACTER_WIDTH + 2 * EDGE
const height = lines.length * LINE_HEIGHT + 2 * EDGE

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const colours: readonly (readonly [RegExp, string])[] = [
  [/^\$ |: (?:green|(?:proved|kept): .*)$|done, merged as/, '#7ee787'],
  [/^Error:|: red: |✖|!==/, '#ff7b72'],
  [/→|a human is needed|changes requested/, '#e3b341'],
  [/^\d\. |^## |^\d of \d /, '#79c0ff'],
]
const colour = (line: string) => colours.find(([pattern]) => pattern.test(line))?.[1] ?? '#e6edf3'
const text = lines.map(
  (line, index) =>
    `<text x="${EDGE}" y="${EDGE + (index + 1) * LINE_HEIGHT - 5}" fill="${colour(line)}">${escaped(line)}</text>`,
)
writeFileSync(
  out,
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
<g font-family="ui-monospace, Menlo, Consolas, monospace" font-size="13" xml:space="preserve">
${text.join('\n')}
</g>
</svg>
`,
)
