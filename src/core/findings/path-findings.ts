// What a path alone reveals: files that judge, run or steer the work. A change of them needs a second look.
import type { FindingRule } from '../fact/finding.ts'

interface PathRule {
  readonly rule: FindingRule
  readonly what: string
  readonly paths: readonly RegExp[]
}

const inAnyFolder = (names: string): RegExp => new RegExp(`(?:^|/)(?:${names})$`, 'i')

const rules: readonly PathRule[] = [
  {
    rule: 'lockfile',
    what: 'the lockfile changed, so other code is installed than before',
    paths: [
      inAnyFolder(
        String.raw`package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|deno\.lock|poetry\.lock|uv\.lock|pdm\.lock|Pipfile\.lock|Cargo\.lock|go\.sum|Gemfile\.lock|composer\.lock|mix\.lock|packages\.lock\.json|flake\.lock|gradle\.lockfile`,
      ),
      inAnyFolder(String.raw`requirements(?:[-_.][\w-]+)?\.txt|constraints\.txt`),
    ],
  },
  {
    rule: 'packageTool',
    what: 'a setting of the package manager changed, which can replace what runs',
    paths: [
      inAnyFolder(
        String.raw`\.npmrc|\.yarnrc|\.yarnrc\.ya?ml|\.pnpmfile\.c?js|pnpm-workspace\.yaml|bunfig\.toml|\.node-version|\.nvmrc|\.python-version|\.tool-versions|pip\.conf|\.pypirc|rust-toolchain(?:\.toml)?`,
      ),
      /(?:^|\/)\.cargo\//,
      /(?:^|\/)\.yarn\/(?:plugins|releases)\//,
    ],
  },
  {
    rule: 'runnerConfig',
    what: 'a setting of a test runner, type checker or linter changed, which can change what is checked',
    paths: [
      inAnyFolder(
        String.raw`(?:vitest|vite|jest|playwright|cypress|karma|ava|wtr|web-test-runner|babel|swc|webpack|rollup|tap|nyc|c8)\.(?:config|conf|setup|workspace)\.[\w.]+`,
      ),
      inAnyFolder(String.raw`(?:vitest|jest)[.-](?:setup|globals|environment|preset)[\w.-]*\.[cm]?[jt]s`),
      inAnyFolder(String.raw`\.(?:mocharc|nycrc|c8rc|taprc|jestrc|babelrc|swcrc)(?:\.\w+)?`),
      inAnyFolder(
        String.raw`(?:[\w-]+\.)?tsconfig(?:[.-][\w.-]+)?\.json|jsconfig\.json|\.?pytest\.(?:ini|toml)|tox\.(?:ini|toml)|mocha\.opts|jasmine\.m?js(?:on)?|nextest\.toml|(?:site|user)customize\.py|conftest\.py|\.coveragerc|noxfile\.py|mypy\.ini|\.pylintrc|ruff\.toml|\.ruff\.toml|\.flake8|clippy\.toml|\.golangci\.ya?ml|phpunit\.xml(?:\.dist)?|\.rspec|\.rubocop\.yml|sonar-project\.properties|codecov\.ya?ml|\.codecov\.ya?ml`,
      ),
      inAnyFolder(
        String.raw`\.?(?:eslintrc|eslint\.config|prettierrc|stylelintrc|oxlintrc|biome|deno)(?:\.[\w.]+)?|\.eslintignore|\.oxlintignore`,
      ),
    ],
  },
  {
    rule: 'script',
    what: 'a file that runs commands for the project changed',
    paths: [
      inAnyFolder(
        String.raw`(?:GNU)?Makefile|[\w.-]+\.mk|justfile|Taskfile\.ya?ml|Rakefile|gulpfile\.[cm]?[jt]s|Gruntfile\.[cm]?js|build\.gradle(?:\.kts)?|settings\.gradle(?:\.kts)?|build\.rs|setup\.py|CMakeLists\.txt|turbo\.json|nx\.json|lerna\.json`,
      ),
    ],
  },
  {
    rule: 'ci',
    what: 'what checks the project elsewhere changed',
    paths: [
      /^\.(?:github|gitlab|circleci|buildkite|azure-pipelines|woodpecker|forgejo|gitea)\//,
      inAnyFolder(
        String.raw`\.gitlab-ci\.ya?ml|azure-pipelines\.ya?ml|Jenkinsfile|\.travis\.ya?ml|appveyor\.ya?ml|bitbucket-pipelines\.ya?ml|\.drone\.ya?ml|CODEOWNERS|\.pre-commit-config\.ya?ml|lefthook\.ya?ml|dependabot\.ya?ml|renovate\.json5?|\.lintstagedrc(?:\.\w+)?|lint-staged\.config\.[cm]?js`,
      ),
      /(?:^|\/)\.husky\//,
    ],
  },
  {
    rule: 'gitSettings',
    what: 'a setting of git changed, which can hide files or run commands for whoever has the repository',
    paths: [inAnyFolder(String.raw`\.gitattributes|\.gitmodules|\.gitconfig|\.mailmap`)],
  },
  {
    rule: 'agentSettings',
    what: 'what tells or steers coding agents changed, which later sessions would obey',
    paths: [
      /(?:^|\/)\.(?:claude|codex|cursor|gemini|opencode|windsurf|roo|cline|ralph|aider|continue|kiro)\//,
      // On most systems only in this spelling; a page called agents.md is documentation.
      /(?:^|\/)(?:CLAUDE(?:\.local)?|AGENTS?|GEMINI|QWEN)\.md$/,
      /^(?:claude(?:\.local)?|agents?|gemini|qwen)\.md$/i,
      inAnyFolder(
        String.raw`\.mcp\.json|opencode\.jsonc?|\.cursorrules|\.windsurfrules|\.clinerules|\.aider[\w.]*|copilot-instructions\.md|ralph\.toml`,
      ),
    ],
  },
]

/** The first that matches; null: an ordinary file. */
export function ruleOfPath(path: string): { readonly rule: FindingRule; readonly what: string } | null {
  return rules.find(({ paths }) => paths.some((pattern) => pattern.test(path))) ?? null
}
