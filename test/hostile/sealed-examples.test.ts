// An implementer that looks for sealed examples in everything it can reach without opening the store's own file.
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { CANARY, RIGHT, CHEAT, textIn, planned } from '../rig/sealed-project.ts'

const LIBRARY = join(import.meta.dirname, '../../dist/index.js')

it('finds no value: not in its folder, environment, prompt, commands, socket or log', () => {
  const found = (root: string): string => `'${root}/found'`
  const looks = (root: string): readonly object[] => [
    {
      run: `env >> ${found(root)}; set >> ${found(root)}; cat /proc/$$/environ /proc/$PPID/environ >> ${found(root)} 2>&1; true`,
    },
    { run: `grep -rs . . --exclude-dir=node_modules >> ${found(root)}; git log -p >> ${found(root)} 2>&1; true` },
    {
      run: [
        'task show shout',
        'task show shout --json',
        'task show shout --with-deps',
        'task show shout --sealed',
        'task show shout --sealed --json',
        'task list --all --json',
        'task list --markdown',
        'task peek',
        'task claim',
        'task deps shout',
        'log',
        'log --json',
        'log --full',
        'log --transcript',
        'log --transcript --json',
        'status --json',
        'report',
        'report --json',
        'idea list --json',
        'diff',
        'build --dry-run',
        'doctor --json',
      ]
        .flatMap((words) => [`ralph ${words}`, `env -u RALPH_SOCKET ralph ${words}`])
        .map((line) => `echo '$ ${line}' >> ${found(root)}; ${line} >> ${found(root)} 2>&1 </dev/null`)
        .concat('true')
        .join('; '),
    },
    {
      run: `${process.execPath} --input-type=module -e 'import { openRalph } from ${JSON.stringify(LIBRARY)}; const ralph = await openRalph(); for (const verb of ["sealed", "task", "plan", "transcript", "rows", "search"]) try { console.log(JSON.stringify(await ralph[verb]({ id: "shout", text: "a" }))) } catch (error) { console.log(error.message) } await ralph.close()' >> ${found(root)} 2>&1; true`,
    },
    {
      run: `printf '%s\\n' '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}' '{"jsonrpc":"2.0","method":"notifications/initialized"}' '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"task_claim","arguments":{}}}' '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"build_status","arguments":{}}}' | ralph mcp >> ${found(root)} 2>&1; true`,
    },
  ]
  const made = planned({ code: [CHEAT, RIGHT], steps: looks })
  expect(made.ralph(['build', 'Shout']).code).toBe(0)
  const seen = textIn(made, 'found') + textIn(made, 'prompts')
  expect(seen).not.toContain(CANARY)
  // It did look: the task, the engine and the refusals answered.
  expect(seen).toContain('Title:       Add shout')
  expect(seen).toContain('"name":"ralph"')
  expect(seen).toContain("'ralph.sealed' is for the operator")
  expect(seen).toContain("'ralph task show' is for the operator")
  expect(seen.split('is for the operator: what a build has started cannot do it').length).toBeGreaterThan(4)
  expect(made.ok('show', 'shout', '--sealed')).toContain(CANARY)
})
