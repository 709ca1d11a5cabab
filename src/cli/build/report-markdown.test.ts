import { expect, it } from 'vitest'
import { sampleReport } from '../../../test/cli/build-sample.ts'
import { reportMarkdown } from './report-markdown.ts'

it('the report tells what was done, proved, left and spent, and first what waits', async () => {
  expect(reportMarkdown(await sampleReport())).toBe(`# Build b_1: running (verifying)

2 of 6 tasks done, 1 being worked on, 1 waiting for you, 1 skipped, 1 to do.

Plan: PROGRESS.md. Branch: \`ralph/b_1\`. Started 2026-06-15 12:00:00, last activity 2026-06-15 12:01:00 (UTC).

## Waits for you

### pay: Take | payments

\`\`\`
is 2 % right?
the bank says 3 %

unit failed
\`\`\`

\`ralph open pay\`, then \`ralph resolve\`; or \`ralph answer\`, \`ralph retry\`, \`ralph skip\`.

## Done

| Commit | Task | Title | Evidence |
|---|---|---|---|
| \`c100000000\` | login | Add login | green: 3 tests (unit) |
| \`c200000000\` | logout | Add logout | unverified, accepted by ada@box |

## Proved

On the last merged tree \`tree123456\`:

- unit: green, 3 tests, 1 skipped, 1:01

## Not done

- mail (active): Send mail
- docs (open): Write docs
- old (skipped): Old thing

## Spent

7 of 200 iterations, 1:02:03 of agents at work, 1 intervention of SIA, 12,000 tokens in, 900 out, $0.50.

## Took more than one try

- pay: 3 attempts, SIA: fresh_start; last: unit failed
`)
})

it('is markdown whatever the texts hold', async () => {
  const report = await sampleReport()
  const [waiting] = report.waiting
  if (waiting === undefined) throw new Error('nothing waits')
  const title = 'a | b <img src=x>\n# c'
  const hostile = { ...waiting, title, reason: '````\n# out of the fence' }
  const text = reportMarkdown({
    ...report,
    waiting: [hostile],
    merged: report.merged.map((one) => ({ ...one, title })),
  })
  expect(text).toContain('### pay: a | b &lt;img src=x&gt;\n')
  expect(text).toContain('`````\n````\n# out of the fence\n')
  expect(text).toContain('| login | a \\| b &lt;img src=x&gt; | green')
})

it('warns of what changed in the checkout', async () => {
  const paths = Array.from({ length: 20 }, (_, at) => `src/${at}.ts`)
  const text = reportMarkdown(await sampleReport(), { type: 'checkoutChanged', refs: ['HEAD'], paths, more: 3 })
  expect(text).toMatch(/\n## Your checkout changed meanwhile\n\nBy you, or .*\n\n- HEAD\n- src\/0\.ts\n/)
  expect(text).toMatch(/- src\/18\.ts\n- and 4 more\n$/)
})
