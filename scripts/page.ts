// Bundles the web page into dist/web: hashed files, each also as gzip, so the server only sends them.
import { createHash } from 'node:crypto'
import { globSync } from 'node:fs'
import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { build } from 'vite'

const SOURCES = ['src/web/**/*', 'src/core/*.ts', 'src/operations/contract*/**/*', 'scripts/page.ts', 'package.json']
const STAMP = '.made-from'

/** Bundles the page only if one of its sources has changed: it is the only slow step. */
export async function makePage(outDir: string, before: string): Promise<void> {
  const stamp = await digestOf(SOURCES)
  const last = await readFile(join(before, STAMP), 'utf8').catch(() => '')
  if (last === stamp) return cp(before, outDir, { recursive: true })
  await rm(outDir, { recursive: true, force: true })
  await build({
    root: 'src/web',
    configFile: false,
    plugins: [react(), tailwind()],
    logLevel: 'warn',
    build: {
      outDir: join(process.cwd(), outDir),
      emptyOutDir: true,
      target: 'es2023',
      // A file that is inlined would need a hole in the content security policy.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
    },
  })
  await compress(outDir)
  await writeFile(join(outDir, STAMP), stamp)
}

async function digestOf(patterns: readonly string[]): Promise<string> {
  const hash = createHash('sha256')
  for (const entry of globSync([...patterns], { withFileTypes: true }).toSorted(byPath))
    if (entry.isFile() && !entry.name.includes('.test.'))
      hash.update(`${join(entry.parentPath, entry.name)}\0`).update(await readFile(join(entry.parentPath, entry.name)))
  return hash.digest('hex')
}

function byPath(one: { parentPath: string; name: string }, other: { parentPath: string; name: string }): number {
  return join(one.parentPath, one.name) < join(other.parentPath, other.name) ? -1 : 1
}

async function compress(folder: string): Promise<void> {
  for (const path of globSync('assets/*', { cwd: folder }))
    await writeFile(join(folder, `${path}.gz`), await promisify(gzip)(await readFile(join(folder, path)), { level: 9 }))
}
