// Bundles the program into dist/: one file for each entry point, one lazily loaded chunk for each command.
import { copyFile, mkdir, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, relative, resolve } from 'node:path'
import { build, type Plugin } from 'esbuild'
import { GRAMMAR_FILES, PARSER_FILE } from '../src/syntax/grammar-files.ts'
import { builtinsByName, programOptions } from './bundling.ts'
import { makePage } from './page.ts'

/** Modules that the program loads on demand, by their names in `later/`. */
const later: Record<string, string> = {}

/** Leaves each `import()` to run time, and collects the imported modules. */
const importsLater: Plugin = {
  name: 'imports-later',
  setup(bundle) {
    bundle.onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
      if (kind !== 'dynamic-import') return null
      const file = resolve(resolveDir, path)
      const name = relative('src', file).replaceAll('/', '-').replace(/\.ts$/, '')
      later[name] = file
      return { path: `./later/${name}.js`, external: true }
    })
  },
}

// Written beside dist/ and moved there at the end, so a build that fails leaves the working program.
const made = `dist.${process.pid}`
const options = { ...programOptions, outdir: made }

// The task commands are one file: an agent calls them many times in a session, and each further file adds about 0.4 ms to
// a start. The other commands share chunks.
await build({ ...options, entryPoints: { cli: 'src/cli/main.ts' }, plugins: [importsLater, builtinsByName] })
await build({
  ...options,
  entryPoints: {
    ...inFolder('later', later),
    'scripted-agent': 'src/agents/scripted/player.ts',
    'model-agent': 'src/agents/model/converse.ts',
    // The library: what other programs import.
    index: 'src/index.ts',
  },
  chunkNames: 'chunks/[name]-[hash]',
  splitting: true,
  plugins: [builtinsByName],
})
function inFolder(folder: string, entries: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(entries).map(([name, path]) => [`${folder}/${name}`, path]))
}

const { resolve: fileOf } = createRequire(import.meta.url)
await mkdir(`${made}/grammars`)
for (const file of [PARSER_FILE, ...Object.values(GRAMMAR_FILES)])
  await copyFile(fileOf(file), `${made}/grammars/${basename(file)}`)
await makePage(`${made}/web`, 'dist/web')
// The package's types are made by types.ts, and not every build makes them anew.
await rename('dist/types', `${made}/types`).catch(() => {})
await rm('dist', { recursive: true, force: true })
await rename(made, 'dist')
const whose = process.execPath.includes('node_modules') ? "the checkout's own Node" : 'Node'
console.log(`Built with ${whose}, ${process.version}.`)
