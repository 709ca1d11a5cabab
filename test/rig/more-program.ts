// `npm run test:more`: the share of the campaigns that the day's date chooses, or the one that RALPH_TEST_SHARE names.
import { spawnSync } from 'node:child_process'
import { dateOf, shareOf } from './share.ts'

const share = process.env['RALPH_TEST_SHARE'] ?? dateOf(Date.now())
shareOf(share)
console.log(`The share of ${share}. The same again: RALPH_TEST_SHARE=${share} npm run test:more`)
const { status } = spawnSync('vitest', ['run', '--project=*campaigns', ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, RALPH_TEST_SHARE: share },
})
process.exitCode = status ?? 1
