// Bundles the program into dist/: one entry per way in, one lazily loaded chunk per command.
import { rename, rm } from 'node:fs/promises'
import { build, type Plugin } from 'esbuild'

/**
 * `import … from 'node:fs'` makes Node evaluate every export of fs, streams and promises included: 3 ms at every start.
 * Here each import becomes a read of just the names that are used; esbuild drops the others.
 */
const builtinsByName: Plugin = {
  name: 'builtins-by-name',
  setup(bundle) {
    bundle.onResolve({ filter: /^node:/ }, ({ path }) => ({ path, namespace: 'builtin' }))
    bundle.onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => {
      const names = Object.keys(process.getBuiltinModule(path) ?? {}).filter((name) => /^[a-z]\w*$/i.test(name))
      return {
        contents: [
          `const builtin = process.getBuiltinModule(${JSON.stringify(path)})`,
          'const $read = (name) => builtin[name]',
          ...names.map((name) => `export const ${name} = /* @__PURE__ */ $read('${name}')`),
        ].join('\n'),
        loader: 'js',
      }
    })
  },
}

// Made beside and put in place at the end: a build that fails leaves the program that works.
const made = `dist.${process.pid}`
await build({
  entryPoints: { cli: 'src/cli/main.ts', 'scripted-agent': 'src/agents/scripted/player.ts' },
  outdir: made,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  loader: { '.sql': 'text', '.md': 'text' },
  plugins: [builtinsByName],
  chunkNames: 'chunks/[name]-[hash]',
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  logLevel: 'warning',
})
await rm('dist', { recursive: true, force: true })
await rename(made, 'dist')
