// The environment of a real `codex` with a scripted model. It holds nothing of the tester's own.

/** The pinned `codex`; null where the tests were not started by `npm run test:agents`. */
export const CODEX = process.env['RALPH_TEST_CODEX'] ?? null
export const NO_CODEX = "there is no real codex; run 'npm run test:agents'"

const DUMMY_KEY = 'dummy-key-of-codex'

/** Of the user; what is not for this machine goes where nobody listens. */
export function codexEnvironment(): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    CODEX_API_KEY: DUMMY_KEY,
    HTTPS_PROXY: 'http://127.0.0.1:9',
    NO_PROXY: '127.0.0.1',
  }
}

/** With a home of its own below the temporary folder, as Ralph has it, for who starts it without Ralph. */
export function codexAlone(home: string): Record<string, string> {
  return { ...codexEnvironment(), HOME: home, CODEX_HOME: `${home}/.codex`, TMPDIR: `${home}/tmp` }
}

/** Variables that it has to be given to work at all. */
export const LISTED = ['CODEX_API_KEY', 'HTTPS_PROXY', 'NO_PROXY'] as const

/** Where nothing else is said it asks a server five times. */
const RETRIES = 1

/** The model that it asks. */
export function codexProvider(address: string): string[] {
  const provider = [
    'name="scripted"',
    `base_url="${address}/v1"`,
    'env_key="CODEX_API_KEY"',
    'wire_api="responses"',
    `request_max_retries=${RETRIES}`,
    `stream_max_retries=${RETRIES}`,
  ]
  return ['-c', 'model_provider="scripted"', '-c', `model_providers.scripted={${provider.join(',')}}`]
}

/** Its own sandbox keeps a model from much that the conformance suite has it do. */
export const WITHOUT_SANDBOX = ['-c', 'sandbox_mode="danger-full-access"']
