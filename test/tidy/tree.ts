import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type SourceFile, sourceFile } from './source.ts'

const root = join(import.meta.dirname, '../..')

/** What git tracks or would track: edited, added and not yet added files alike. */
export function readTree(): SourceFile[] {
  const list = ['ls-files', '--cached', '--others', '--exclude-standard', '-z']
  return execFileSync('git', list, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
    .split('\0')
    .filter((path) => existsSync(join(root, path)))
    .map((path) => sourceFile(path, isText(path) ? readFileSync(join(root, path), 'utf8') : ''))
}

/** Of all other files the rules know only the name. */
function isText(path: string): boolean {
  return /\.([cm]?[jt]sx?|json|sql|css|sh)$/.test(path)
}
