// What tells a program that a test runs it: variables that runners set, the runner's own modules and globals, and the
// names of test files.

/** Only a test runner sets these. */
export const RUNNER_VARIABLE =
  /^(VITEST|JEST|MOCHA|NODE_TEST|PYTEST|PLAYWRIGHT_TEST|CYPRESS|RUST_TEST|NEXTEST|RSPEC|SUREFIRE)(_[A-Z_]+)?$|^(NODE_TEST_CONTEXT|VITEST_WORKER_ID|__vitest_\w+__|__coverage__|_called_from_test|__NODE_TEST__)$/

/** Build machines set these. */
export const MACHINE_VARIABLE =
  /^(CI|CONTINUOUS_INTEGRATION|GITHUB_ACTIONS|GITLAB_CI|TRAVIS|CIRCLECI|JENKINS_URL|BUILDKITE|TEAMCITY_VERSION|TF_BUILD|APPVEYOR|DRONE|IS_TEST|TESTING|TEST|UNDER_TEST|UNIT_TEST|RUNNING_TESTS)$/

/** Their value says which environment this is. */
export const ENVIRONMENT_VARIABLE =
  /^(NODE_ENV|MODE|BABEL_ENV|APP_ENV|RAILS_ENV|RACK_ENV|FLASK_ENV|DJANGO_ENV|PYTHON_ENV|GO_ENV|APP_ENVIRONMENT|ENVIRONMENT|ENV)$/
export const TEST_ENVIRONMENT = /^(tests?|testing|TEST)$/

/** The words of runners and of the names of test files. */
export const TEST_WORDS =
  /(?<![a-z])(tests?|specs?|jest|vitest|mocha|jasmine|pytest|unittest|junit|testng|surefire|rspec|minitest|cypress|playwright|testing|tap|ava)(?![a-z])/i

/** A path into a folder of tests or their data, or a test file. */
export const TEST_PATH =
  /(^|[/\\])(tests?|specs?|__tests__|__snapshots__|__fixtures__|fixtures|testdata|snapshots)([/\\]|$)|\.(test|spec)\.[a-z]+$|\.snap$|(^|[/\\])test_[\w-]+\.py$|_test\.(go|py|rb)$|_spec\.rb$|Test\.java$/

/** Where a program looks at its callers, its arguments or what else is loaded, by the text of a member or a call. */
export const LOOKS_AROUND: Readonly<Record<string, RegExp>> = {
  javascript:
    /^(process\.(argv|argv0|execArgv|title|mainModule)|require\.(cache|main)|module\.(parent|children|paths)|Error\.(captureStackTrace|prepareStackTrace)|\(?new Error\([^)]*\)\)?\.stack|\w+\.stack|util\.getCallSites?|getCallSites?|process\.moduleLoadList|process\._getActiveHandles|performance\.getEntries)$/,
  python:
    /^(sys\.(modules|argv|_getframe|orig_argv)|inspect\.(stack|currentframe|getouterframes|trace)|traceback\.(extract_stack|format_stack|walk_stack)|threading\.current_thread|importlib\.util\.find_spec|__main__\.__file__)$/,
  go: /^(os\.Args|runtime\.(Caller|Callers|CallersFrames|Stack|FuncForPC)|debug\.(Stack|PrintStack|ReadBuildInfo)|flag\.Lookup|os\.Executable)$/,
  rust: /^((std::)?env::(args|args_os|current_exe)|(std::)?thread::current\(\)\.name|(std::)?backtrace::Backtrace::\w+|Backtrace::\w+)$/,
  java: /getStackTrace$|^StackWalker\b|^ManagementFactory\b|^Class\.forName$|^System\.getProperty$/,
  ruby: /^(caller|caller_locations|\$PROGRAM_NAME|\$0|ARGV|\$LOADED_FEATURES|\$"|Thread\.current\.backtrace)$/,
  c: /^(backtrace_symbols|dladdr|getprogname|__progname|program_invocation_name)$/,
}

/** Looks at its own callers, which a program hardly ever needs: new code that does is worth a look, whatever for. */
export const LOOKS_AT_CALLERS: Readonly<Record<string, RegExp>> = {
  javascript: /^(\(?new Error\([^)]*\)\)?\.stack|util\.getCallSites?|getCallSites?)$/,
  python:
    /^(sys\._getframe|inspect\.(stack|currentframe|getouterframes)|traceback\.(extract_stack|format_stack|walk_stack))$/,
  go: /^runtime\.(Caller|Callers|CallersFrames)$/,
  java: /^Thread\.currentThread\(\)\.getStackTrace$|^StackWalker\b/,
  ruby: /^(caller|caller_locations)$/,
}

/** The value of an environment variable, by the text of what is called or read. */
export const READS_ENVIRONMENT =
  /(process\.env|import\.meta\.env|Bun\.env|Deno\.env|os\.environ|getenv|Getenv|LookupEnv|env::var|env::var_os|option_env|ENV\b|environ\b)/

/** What only runners define. */
export const RUNNER_GLOBAL =
  /^(describe|it|test|jest|vi|vitest|expect|beforeEach|afterEach|beforeAll|afterAll|before|after|suite|mocha|jasmine|cy|__vitest_worker__|__coverage__)$/

/** Calls that read a file or a folder, or load a module. */
export const READS_FILES =
  /(^|[.:])(readFile|readFileSync|readdir|readdirSync|existsSync|exists|createReadStream|statSync|access|accessSync|globSync|glob|open|openSync|read_text|read_bytes|listdir|scandir|walk|isfile|isdir|ReadFile|ReadDir|Open|Stat|Glob|read_to_string|read_dir|require|import|readAllBytes|readString|readAllLines|File|fopen|read|readlines|foreach|entries|FileReader)$/
