import { expect, it } from 'vitest'
import { sampleReport } from '../../../test/rig/sample-report.ts'
import type { BuildReport } from '../../operations/read/build-report.ts'
import { reportMarkdown } from './report-markdown.ts'

const waited = [{ agent: 'claude', times: 2, ms: 7_800_000, reason: 'the limit | of use' }]

it('the report tells what was done, proved, left, spent and waited for, first what waits, last how to go on', async () => {
  expect(reportMarkdown(await sampleReport(), { waited, checkout: null }, 'operator'))
    .toBe(`# Build b_1: running (verifying)

2 of 6 tasks done, 1 being worked on, 1 waiting for you, 1 skipped, 1 to do.

Plan: PROGRESS.md. Branch: \`ralph/b_1\`. Started 2026-06-15 12:00:00, last activity 2026-06-15 12:01:00 (UTC), 1 min in all.

## Waits for you

### pay: Take | payments

\`\`\`
is 2 % right?
the bank says 3 %

unit failed
\`\`\`

One of these:

\`\`\`sh
ralph open pay                        # prints its folder: mend it there yourself, then
ralph resolve pay -m 'what you did'   # verifies your fix and merges it
ralph answer pay -m 'what to know'    # lets the agent try again, with your words
ralph retry pay                       # lets it try again as it is
ralph skip pay                        # leaves it undone
\`\`\`

## Done

| Commit | Task | Title | Evidence | Attempts | Spent |
| --- | --- | --- | --- | --- | --- |
| \`c100000000\` | login | Add login | green: 3 tests (unit) | 1 | $0.25 |
| \`c200000000\` | logout | Add logout | unverified, accepted by ada@box | 1 |  |

## Proved

On the last merged tree \`tree123456\`:

- unit: green, 3 tests, 1 skipped, 1:01
- on a person's word only: logout

## Not done

- mail (active): Send mail
- docs (after pay): Write docs
- old (skipped): Old thing

## Trouble on the way

- pay: 3 attempts, SIA: fresh_start; last: unit failed

## Spent

7 of 200 iterations, 2 other sessions, 1:02:03 of agents at work, 1 intervention of SIA, 12,000 tokens in, 900 out, $0.50.

| Role | Agent | Sessions | Time | Tokens in | Tokens out | Cost |
| --- | --- | --- | --- | --- | --- | --- |
| implementer | claude | 7 | 1:02:03 | 12,000 | 900 | $0.50 |
| sia | codex | 2 | 1:02:03 | 12,000 | 900 | not named |

## Waited for agents

This cost no attempt.

- claude: 2 times, 2 h 10 min (the limit | of use)

## Go on

\`\`\`sh
ralph watch
\`\`\`
`)
})

it.each<[string, Partial<BuildReport>, string[]]>([
  ['complete', { build: { state: 'complete' } as never }, ['git log -p ralph/b_1', 'ralph ship']],
  ['shipped', { build: { state: 'complete' } as never, isShipped: true }, ['git log -p ralph/b_1']],
  ['aborted', { build: { state: 'aborted' } as never }, ['git log -p ralph/b_1', 'ralph recover']],
  ['left alone', {}, ['git log -p ralph/b_1', 'ralph build']],
  [
    'out of money',
    { budget: { budget: { usd: 2, tokens: null }, charged: { usd: 2, tokens: 0 } } },
    ['git log -p ralph/b_1', 'ralph build --budget 4'],
  ],
  ['waiting', { view: { status: 'human_needed' } as never }, ['ralph build   # once what waits is answered']],
])('a build that is %s is gone on with', async (_, rest, commands) => {
  const report = { ...(await sampleReport()), held: new Set<never>() }
  const changed = {
    ...report,
    ...rest,
    build: { ...report.build, ...rest.build },
    view: { ...report.view, ...rest.view },
  }
  const text = reportMarkdown(changed, { waited: [], checkout: null }, 'operator')
  expect(text.split('## Go on\n\n')[1]).toBe(`\`\`\`sh\n${commands.join('\n')}\n\`\`\`\n`)
  expect(text).not.toContain('## Waited')
})

it('is markdown whatever the texts hold', async () => {
  const report = await sampleReport()
  const [waiting] = report.waiting
  if (waiting === undefined) throw new Error('nothing waits')
  const title = 'a | b <img src=x>\n# c'
  const hostile = { ...waiting, title, reason: '````\n# out of the fence' }
  const text = reportMarkdown(
    {
      ...report,
      waiting: [hostile],
      merged: report.merged.map((one) => ({ ...one, title })),
    },
    { waited: [], checkout: null },
    'reviewer',
  )
  expect(text).not.toContain('## Go on')
  expect(text).toContain('### pay: a | b &lt;img src=x&gt;\n')
  expect(text).toContain('`````\n````\n# out of the fence\n')
  expect(text).toContain('| login | a \\| b &lt;img src=x&gt; | green')
})

it('warns of what changed in the checkout', async () => {
  const paths = Array.from({ length: 20 }, (_, at) => `src/${at}.ts`)
  const checkout = { type: 'checkoutChanged', refs: ['HEAD'], paths, more: 3 } as const
  const text = reportMarkdown(await sampleReport(), { waited: [], checkout }, 'reviewer')
  expect(text).toMatch(/\n## Your checkout changed meanwhile\n\nBy you, or .*\n\n- HEAD\n- src\/0\.ts\n/)
  expect(text).toMatch(/- src\/18\.ts\n- and 4 more\n$/)
})
