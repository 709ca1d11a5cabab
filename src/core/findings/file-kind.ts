// What a file is, by its path: code, a test, configuration, or something else.

type FileKind = 'code' | 'test' | 'config' | 'other'

export function kindOf(path: string): FileKind {
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (isForeign(path)) return 'other'
  if (isTest(path, name)) return 'test'
  if (isConfig(name)) return 'config'
  return isCode(name) ? 'code' : 'other'
}

/** Generated or vendored files: their content says nothing about the change. */
function isForeign(path: string): boolean {
  return /(?:^|\/)(?:node_modules|vendor|third_party|dist|build|target|out|\.git|\.venv|venv|__pycache__|\.yarn)\//.test(
    path,
  )
}

const testFolders =
  /(?:^|\/)(?:tests?|__tests__|specs?|e2e|testing|__snapshots__|testdata|fixtures|__fixtures__|__mocks__)\//i

export function isInTestFolder(path: string): boolean {
  return testFolders.test(path)
}

const testNames: readonly RegExp[] = [
  /[._-](?:test|tests|spec|e2e|cy)\.[a-z]+$/i,
  /^test[_-].*\.[a-z]+$/i,
  /_(?:test|spec)\.[a-z]+$/i,
  /^(?:conftest|tests?)\.[a-z]+$/i,
  /(?:Test|Tests|Spec|IT)\.(?:java|kt|kts|scala|groovy|cs|fs|swift|php)$/,
  /\.snap$/,
]

function isTest(path: string, name: string): boolean {
  return isCode(name) || name.endsWith('.snap')
    ? testFolders.test(path) || testNames.some((pattern) => pattern.test(name))
    : false
}

const configNames: readonly RegExp[] = [
  /\.config\.[cm]?[jt]s$/,
  /^\.?(?:eslintrc|prettierrc|babelrc|mocharc|swcrc|stylelintrc)(?:\.|$)/,
  /^(?:setup|noxfile|fabfile|manage)\.py$/,
  /^(?:gulpfile|gruntfile|jakefile|karma\.conf|webpack\.[\w.]+)\.[cm]?[jt]s$/i,
  /^(?:Makefile|GNUmakefile|makefile|Dockerfile|Rakefile|Gemfile|Procfile|justfile|CMakeLists\.txt)$/,
  /^(?:build|settings)\.gradle(?:\.kts)?$/,
  /\.(?:json|jsonc|json5|toml|ya?ml|ini|cfg|conf|properties|xml|csproj|sln|gemspec|mod)$/,
]

function isConfig(name: string): boolean {
  return !isLockfile(name) && configNames.some((pattern) => pattern.test(name))
}

export function isLockfile(name: string): boolean {
  return /^(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|bun\.lockb?|go\.sum|flake\.lock|composer\.lock|packages\.lock\.json)$|\.lock$/.test(
    name,
  )
}

const codeExtensions =
  /\.(?:[cm]?[jt]sx?|vue|svelte|astro|py|pyi?x|rb|rs|go|java|kts?|scala|groovy|cs|fs|vb|swift|m|mm|c|cc|cpp|cxx|h|hh|hpp|hxx|zig|nim|d|dart|php|pl|pm|lua|ex|exs|erl|hrl|clj|cljs|cljc|hs|ml|mli|elm|jl|r|sh|bash|zsh|sql|html?|css|scss|less|wat|sol|cr)$/i

/** Without type declarations: nothing runs them. */
function isCode(name: string): boolean {
  return codeExtensions.test(name) && !/\.d\.[cm]?ts$/.test(name)
}
