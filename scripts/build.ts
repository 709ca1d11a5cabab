// Bundles the program into dist/: one entry per way in, one lazily loaded chunk per command.
import { rename, rm } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { relative, resolve } from 'node:path'
import { build, type BuildOptions, type Plugin } from 'esbuild'
import { makePage } from './page.ts'

/**
 * `import … from 'node:fs'` makes Node evaluate every export of fs, streams and promises included: 3 ms at every start.
 * Here each import becomes a read of just the names that are used; esbuild drops the others.
 */
const builtinsByName: Plugin = {
  name: 'builtins-by-name',
  setup(bundle) {
    bundle.onResolve({ filter: /^[a-z]/ }, ({ kind, path }) => {
      if (!isBuiltin(path)) return null
      return { path, namespace: kind === 'require-call' ? 'builtin-whole' : 'builtin' }
    })
    // A package in CommonJS takes the thing itself, which may be a function.
    bundle.onLoad({ filter: /.*/, namespace: 'builtin-whole' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)})`,
      loader: 'js',
    }))
    bundle.onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => {
      const names = Object.keys(process.getBuiltinModule(path) ?? {}).filter((name) => /^[a-z]\w*$/i.test(name))
      return {
        contents: [
          `const builtin = process.getBuiltinModule(${JSON.stringify(path)})`,
          // Some packages import it whole.
          'export default builtin',
          'const $read = (name) => builtin[name]',
          ...names.map((name) => `export const ${name} = /* @__PURE__ */ $read('${name}')`),
        ].join('\n'),
        loader: 'js',
      }
    })
  },
}

/** What the program loads on demand, by the name it gets in `later/`. */
const later: Record<string, string> = {}

/** Leaves an `import()` to run time, and notes what it asks for. */
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

// Made beside and put in place at the end: a build that fails leaves the program that works.
const made = `dist.${process.pid}`
const options = {
  outdir: made,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  loader: { '.sql': 'text', '.md': 'text' },
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  logLevel: 'warning',
} as const satisfies BuildOptions

// The task commands in one file, since an agent calls them many times in a session and each further file costs a start
// about 0.4 ms; all the others share their parts among each other.
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

await makePage(`${made}/web`, 'dist/web')
await rm('dist', { recursive: true, force: true })
await rename(made, 'dist')
