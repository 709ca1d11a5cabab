// The programs that a check would run: a result is valid for the tools that made it. Their files identify them, since
// asking each for its version would take 30 ms apiece. Shims of version managers follow files of the project, which are
// part of the tree.
import { lstatSync, realpathSync, statSync } from 'node:fs'
import { arch, platform, release } from 'node:os'
import { delimiter, join } from 'node:path'

const programs = [
  'node npm npx pnpm yarn bun deno python python3 pip uv poetry pdm pipenv pytest ruby bundle go cargo rustc java',
  'mvn gradle dotnet php composer make gcc clang cmake mix swift',
].flatMap((line) => line.split(' '))

/**
 * The programs at this moment. Looking for each in every folder takes some 8 ms, so the result is kept until a folder
 * of the path or one of the files changes, which takes 0.1 ms to see.
 */
export function watchToolchain(searchPath: string): () => readonly string[] {
  const folders = searchPath.split(delimiter)
  let known: { readonly paths: readonly string[]; readonly stamps: string; readonly found: readonly string[] } | null =
    null
  return () => {
    if (known !== null && known.stamps === stampsOf(known.paths)) return known.found
    // Stamped before the look, so a change meanwhile is seen the next time.
    const before = stampsOf(folders)
    const files = programs.flatMap((name) => filesOf(folders, name))
    const stamps = `${before}\n${stampsOf(files)}`
    const found = [platform(), arch(), release(), searchPath, ...files.flatMap(fileStamp)]
    known = { paths: [...folders, ...files], stamps, found }
    return found
  }
}

/** Identifies a program of this name and its version; null: there is none. */
export function fileOnPath(searchPath: string, name: string): string | null {
  return filesOf(searchPath.split(delimiter), name).flatMap(fileStamp)[0] ?? null
}

/** The first file of that name on the path, and the places before it where none is yet, such as a dangling link. */
function filesOf(folders: readonly string[], name: string): readonly string[] {
  const paths = folders.map((folder) => join(folder, name)).filter(isThere)
  const first = paths.findIndex((path) => fileStamp(path).length > 0)
  return paths.slice(0, first < 0 ? paths.length : first + 1)
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return false
  }
}

function fileStamp(path: string): readonly string[] {
  try {
    const real = realpathSync(path)
    const { size, mtimeMs } = statSync(real)
    return [`${real} ${size} ${mtimeMs}`]
  } catch {
    return []
  }
}

function stampsOf(paths: readonly string[]): string {
  return paths.map(stampOf).join('\n')
}

function stampOf(path: string): string {
  try {
    const { dev, ino, size, mtimeMs, ctimeMs } = statSync(path)
    return `${dev} ${ino} ${size} ${mtimeMs} ${ctimeMs}`
  } catch {
    return ''
  }
}
