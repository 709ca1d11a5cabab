import { expect, it } from 'vitest'
import { SOCKET_PATH_BYTES_MAX, socketRoot } from './private-folder.ts'

it.each([
  ['/tmp', '/tmp'],
  ['/var/folders/zz/zyxvpxvq6csfxvn_n0000000000000/T', '/var/folders/zz/zyxvpxvq6csfxvn_n0000000000000/T'],
  [`/${'d'.repeat(SOCKET_PATH_BYTES_MAX - 50)}`, `/${'d'.repeat(SOCKET_PATH_BYTES_MAX - 50)}`],
  [`/${'d'.repeat(SOCKET_PATH_BYTES_MAX - 48)}`, '/tmp'],
  [`/${'ä'.repeat(40)}`, '/tmp'],
])('sockets for a TMPDIR of %s are in %s', (folder, root) => {
  expect(socketRoot(folder)).toBe(root)
})
