// Which programs a check would run: a result is good for the tools it was made with. They are told apart by their files,
// since asking each for its version would take 30 ms apiece; stand-ins of version managers follow files of the project,
// and those are part of the tree.
import { realpathSync, statSync } from 'node:fs'
import { arch, platform, release } from 'node:os'
import { delimiter, join } from 'node:path'

const programs = [
  'node npm npx pnpm yarn bun deno python python3 pip uv poetry pdm pipenv pytest ruby bundle go cargo rustc java',
  'mvn gradle dotnet php composer make gcc clang cmake mix swift',
].flatMap((line) => line.split(' '))

export function toolchainOf(searchPath: string): readonly string[] {
  const folders = searchPath.split(delimiter)
  const found = programs.flatMap((name) => fileOf(folders, name))
  return [platform(), arch(), release(), searchPath, ...found]
}

function fileOf(folders: readonly string[], name: string): readonly string[] {
  for (const folder of folders) {
    try {
      const path = realpathSync(join(folder, name))
      const { size, mtimeMs } = statSync(path)
      return [`${path} ${size} ${mtimeMs}`]
    } catch {
      // Not in this folder.
    }
  }
  return []
}
