import { describe, expect, it } from 'vitest'
import { type LineFormName, misfit } from './setting-as-line.ts'

describe('misfit', () => {
  it.each<[LineFormName, string]>([
    ['command', 'npm test'],
    ['command', 'npm run a &&\n\tnpm run b'],
    ['argument', ''],
    ['argument', '--x=\ty'],
    ['model', 'anthropic/claude-sonnet:latest'],
    ['address', 'https://example.org/hook?token=1'],
    ['address', 'http://127.0.0.1:8080'],
    ['branch', 'main'],
    ['branch', 'release/1.x'],
    ['branch', 'größe'],
    ['path', '.'],
    ['path', '.github/**'],
    ['path', 'a..b/c'],
    ['variable', '_MY_VAR1'],
  ])('%s takes %j', (form, text) => {
    expect(misfit(form, text)).toBeNull()
  })

  it.each<[LineFormName, string, string]>([
    ['command', ' \n', 'must be a command, not " \\n"'],
    ['command', 'a\0b', 'must be a command, not "a\\u0000b"'],
    ['argument', '\0', 'must be a text without NUL, not "\\u0000"'],
    ['model', 'a b', 'must be the name of a model, without white space, not "a b"'],
    ['address', 'ftp://secret@example.org', 'must be an address that starts with http:// or https://'],
    ['address', 'example.org/secret', 'must be an address that starts with http:// or https://'],
    ['branch', 'a b', 'must be the name of a branch, not "a b"'],
    ['branch', '-x', 'must be the name of a branch, not "-x"'],
    ['branch', 'a..b', 'must be the name of a branch, not "a..b"'],
    ['branch', 'a/.b', 'must be the name of a branch, not "a/.b"'],
    ['branch', 'a.lock', 'must be the name of a branch, not "a.lock"'],
    ['branch', 'a/', 'must be the name of a branch, not "a/"'],
    ['branch', '', 'must be the name of a branch, not ""'],
    ['path', '', 'must be a path inside the repository, relative to its root, not ""'],
    ['path', '/etc', 'must be a path inside the repository, relative to its root, not "/etc"'],
    ['path', '~/x', 'must be a path inside the repository, relative to its root, not "~/x"'],
    ['path', 'C:/x', 'must be a path inside the repository, relative to its root, not "C:/x"'],
    ['path', 'a/../../b', 'must be a path inside the repository, relative to its root, not "a/../../b"'],
    ['path', 'a\\b', 'must be a path inside the repository, relative to its root, not "a\\\\b"'],
    ['variable', 'A=B', 'must be the name of an environment variable, not "A=B"'],
    ['variable', '1A', 'must be the name of an environment variable, not "1A"'],
    ['command', 'x'.repeat(4097), 'must be at most 4096 characters long, not 4097'],
  ])('%s refuses %j', (form, text, problem) => {
    expect(misfit(form, text)).toBe(problem)
  })
})
