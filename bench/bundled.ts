import { join } from 'node:path'
import { build } from 'esbuild'

/** A program of this folder in one file: by itself, Node cannot read the SQL that the store imports. */
export async function bundled(folder: string, program: string): Promise<string> {
  const outfile = join(folder, `${program}.mjs`)
  await build({
    entryPoints: [join(import.meta.dirname, `${program}.ts`)],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    loader: { '.sql': 'text' },
    logLevel: 'warning',
  })
  return outfile
}
