// The bundler options of the program. The benchmarks use the same ones.
import { isBuiltin } from 'node:module'
import type { BuildOptions, Plugin } from 'esbuild'

export const programOptions = {
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

/**
 * `import … from 'node:fs'` makes Node evaluate every export of fs, streams and promises included: 3 ms at every start.
 * This plugin makes each import read only the names that are used; esbuild drops the others.
 */
export const builtinsByName: Plugin = {
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
          `const builtin = /* @__PURE__ */ process.getBuiltinModule(${JSON.stringify(path)})`,
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
