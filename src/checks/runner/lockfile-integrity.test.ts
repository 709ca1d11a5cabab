import { join } from 'node:path'
import { expect, it } from 'vitest'
import { madeFolder } from '../../../test/rig/folder.ts'
import { integrityOf } from './lockfile-integrity.ts'

it.each<[string, string, string]>([
  [
    'npm',
    'package-lock.json',
    '{\n  "packages": {\n    "node_modules/vitest": {\n      "version": "5.1.0",\n      "integrity": "sha512-x"\n    },\n    "node_modules/z": {\n      "integrity": "sha512-z"\n    }\n  }\n}\n',
  ],
  [
    'pnpm',
    'pnpm-lock.yaml',
    "packages:\n\n  vite@8.0.0:\n    resolution: {integrity: sha512-no}\n\n  vitest@5.1.0:\n    resolution: {integrity: sha512-x}\n    engines: {node: '>=20'}\n\nsnapshots:\n",
  ],
  [
    'yarn',
    'yarn.lock',
    'vite@^8.0.0:\n  version "8.0.0"\n  integrity sha512-no\n\nvitest@^5.0.0, vitest@^5.1.0:\n  version "5.1.0"\n  resolved "https://x"\n  integrity sha512-x\n',
  ],
  [
    'yarn of today',
    'yarn.lock',
    '"vitest@npm:^5.1.0":\n  version: 5.1.0\n  resolution: "vitest@npm:5.1.0"\n  checksum: sha512-x\n  languageName: node\n',
  ],
])('%s', async (_, file, text) => {
  const root = await madeFolder({ [file]: text, 'packages/a/x': '' })
  expect(integrityOf(join(root, 'packages/a'), root, 'vitest', '5.1.0')).toBe('sha512-x')
  expect(integrityOf(root, root, 'gone', '5.1.0')).toBeNull()
})

it('no lockfile says nothing', async () => {
  const root = await madeFolder({ 'a/x': '' })
  expect(integrityOf(join(root, 'a'), root, 'vitest', '5.1.0')).toBeNull()
})
