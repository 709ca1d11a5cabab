import { join } from 'node:path'
import { build } from 'esbuild'
import { builtinsByName, programOptions } from '../scripts/bundling.ts'

/** A program of this folder in the form in which ours is shipped: what it loads on demand is a file of its own. */
export async function bundleProgram(folder: string, program: string): Promise<string> {
  await build({
    ...programOptions,
    entryPoints: [join(import.meta.dirname, `${program}.ts`)],
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    splitting: true,
    plugins: [builtinsByName],
  })
  return join(folder, `${program}.mjs`)
}
