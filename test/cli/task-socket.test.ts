// Inside an iteration the engine answers `ralph task`. Where it is gone that is all there is to say: the store stays shut.
import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import { inProcess } from '../rig/in-process.ts'
import { refused, scratch } from '../rig/scratch.ts'

const gone = { env: { RALPH_SOCKET: '/nonexistent/socket' } }
const nobody = refused(
  1,
  'the engine that started this session does not answer (ENOENT); end the session, what it made is kept',
)

it.each([
  ['peek'],
  ['claim'],
  ['claim a'],
  ['renew a'],
  ['done a'],
  ['fail a'],
  ['create b B'],
  ['show a'],
  ['list'],
  ['deps a'],
  ['plan-status'],
])('task %s', async (line) => {
  const { ralph, storePath } = inProcess()
  expect(await ralph(['task', ...line.split(' ')], gone)).toEqual(nobody)
  expect(existsSync(storePath)).toBe(false)
})

it.each([
  ['update a -t X'],
  ['delete a'],
  ['delete --all --confirm'],
  ['block a --by b'],
  ['unblock a --by b'],
  ['plan-sync'],
  ['agent register'],
  ['agent list'],
  ['agent deregister ann'],
])('task %s is not for a session', async (line) => {
  const { ralph, storePath } = inProcess()
  expect(await ralph(['task', ...line.split(' ')], gone)).toEqual(
    refused(
      1,
      "the plan is not a session's to change; inside an iteration there are peek, list, show, deps, plan-status, claim, renew, done, fail and create",
    ),
  )
  expect(existsSync(storePath)).toBe(false)
})

it('a call that is wrong is told so before anybody is asked', async () => {
  const { ralph } = inProcess()
  expect(await ralph(['task', 'done'], gone)).toEqual(
    refused(1, 'missing task ID', 'task done ID [--result JSON] [--agent ID]'),
  )
})

it('says it as JSON where that is wanted', () => {
  const { ralph } = scratch()
  expect(JSON.parse(ralph(['task', 'peek', '--json'], gone).stdout)).toEqual({
    error: { code: 'RALPH_ENGINE_GONE', message: expect.stringMatching(/^the engine .* does not answer/) },
  })
})

it('an empty variable is none', () => {
  const { ralph, ok } = scratch()
  ok('create', 'a', 'A')
  expect(ralph(['task', 'plan-status'], { env: { RALPH_SOCKET: '' } }).stdout).toBe(
    '1 open, 0 active, 0 done, 0 blocked, 0 deleted\n',
  )
})
