// A kill between the intent and the move of the branch: the merge is repeated once, also where the branch has moved.
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { audit } from './build-audit.ts'
import { endOf, KILLED, leftUndisturbed, withProject, UNHARMED } from './build-kills.ts'
import { bundledBuild } from '../rig/build-process.ts'

const program = await bundledBuild()

const KILL = { RALPH_FAILPOINT: 'intended landing' }

it('kill -9 after a landing was intended, several times: it lands once, and the end is the same', async () => {
  const wanted = await leftUndisturbed(program)
  await withProject(program, async (stage) => {
    for (let time = 1; time <= 3; time += 1)
      expect({ time, ...endOf(await stage.run(KILL).life) }).toEqual({ time, ...KILLED })
    const intended = await stage.context.store.builds.attachments(stage.build.id, 'landing')
    // What the build started on, and one commit for each try, on no branch.
    expect(intended.filter(({ onto }) => onto !== null).length).toBeGreaterThan(0)
    expect(
      stage.engineGit('rev-list', '--count', `ralph/${stage.build.id}`, `^refs/ralph/bases/${stage.build.id}`),
    ).toBe('0')
    expect({ ...endOf(await stage.run().life), ...(await audit(stage)) }).toEqual({ ...UNHARMED, ...wanted })
  })
})

it('every commit of the branch was intended, with its evidence, and named in a fact', async () => {
  await withProject(program, async (stage) => {
    expect(endOf(await stage.run().life)).toEqual(UNHARMED)
    const { context, build, engineGit } = stage
    const landings = await context.store.builds.attachments(build.id, 'landing')
    const branch = engineGit('log', '--reverse', '--format=%H %T %P', `ralph/${build.id}`).split('\n')
    expect(landings.map(({ commit, tree, onto }) => `${commit} ${tree} ${onto ?? ''}`)).toEqual(branch)
    const facts = (await context.store.builds.facts(build.id, 0, 10_000)).map(({ fact }) => fact)
    const merged = facts.flatMap((fact) => (fact.type === 'merged' ? [fact.commit] : []))
    expect(landings.flatMap(({ commit, mark }) => (mark === null ? [] : [commit]))).toEqual(merged)
  })
})

it('a build of a version that intended nothing goes on, also from between a landing and its record', async () => {
  const wanted = await leftUndisturbed(program)
  await withProject(program, async (stage) => {
    // As such a version left the store.
    const forget = (): void => {
      const db = new DatabaseSync(`${stage.folder}/.git/ralph/ralph.db`)
      db.exec("DELETE FROM keepsakes WHERE kind = 'landing'")
      db.close()
    }
    expect(endOf(await stage.run({ RALPH_FAILPOINT: 'performed merge' }).life)).toEqual(KILLED)
    forget()
    expect(endOf(await stage.run({ RALPH_FAILPOINT: 'recorded merge' }).life)).toEqual(KILLED)
    forget()
    const { facts, ...life } = await stage.run().life
    expect({ ...endOf({ ...life, facts }), ...(await audit(stage)) }).toEqual({ ...UNHARMED, ...wanted })
    expect(facts.filter(({ type }) => type === 'branchRestored' || type === 'statusRejected')).toEqual([])
  })
})
