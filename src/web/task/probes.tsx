// What the probes saw: the tests that need the change, and the breaks that no test noticed.
import type { ReactNode } from 'react'
import type { WireProbes } from '../../operations/contract/probes.ts'
import { Badge } from '../parts/badge.tsx'
import { ForeignText } from '../parts/foreign-text.tsx'
import { span } from '../parts/time.ts'

export function Probes({ probes }: { readonly probes: WireProbes }) {
  const { witnesses, breaks } = probes
  const survivors = breaks.filter(({ result }) => result === 'survived')
  const noticed = breaks.filter(({ result }) => result === 'noticed')
  const unnamed = witnesses.count - witnesses.tests.length
  return (
    <div className="mt-4 space-y-3 text-sm">
      {witnesses.count > 0 && (
        <Part title="Fails without this change">
          {witnesses.tests.map((name) => (
            <Line key={name}>
              <ForeignText text={name} />
            </Line>
          ))}
          {unnamed > 0 && (
            <Line>{witnesses.tests.length === 0 ? `${unnamed} tests, by count` : `and ${unnamed} more`}</Line>
          )}
        </Part>
      )}
      {survivors.length > 0 && (
        <Part title="Broken on purpose, and no test noticed">
          {survivors.map(({ what }) => (
            <Line key={what}>
              <Badge tone="ask" word="not noticed" /> <ForeignText text={what} className="font-mono text-xs" />
            </Line>
          ))}
        </Part>
      )}
      {noticed.length > 0 && (
        <Part title="Broken on purpose, and noticed">
          {noticed.map(({ what, by }) => (
            <Line key={what}>
              <Badge tone="good" word="noticed" /> <ForeignText text={what} className="font-mono text-xs" />
              {by.length > 0 && (
                <span className="text-xs text-soft">
                  {' '}
                  by <ForeignText text={by.map((name) => `'${name}'`).join(', ')} />
                </span>
              )}
            </Line>
          ))}
        </Part>
      )}
      <Rest probes={probes} />
      <p className="text-xs text-soft">
        The task claims {probes.claim === 'behaviour' ? 'new behaviour' : 'no new behaviour'}; {count(probes.newTests)}.
        The probes took {span(probes.spentMs)}.
      </p>
    </div>
  )
}

/** What else a reader should know. */
function Rest({ probes }: { readonly probes: WireProbes }) {
  const { breaks, flaky, skipped, notes } = probes
  const unclear = breaks.filter(({ result }) => result === 'unclear')
  if (unclear.length + flaky.length + skipped.length + notes.length === 0) return null
  return (
    <Part title="Also">
      {unclear.map(({ what }) => (
        <Line key={what}>
          <span className="text-soft">Says nothing, since it could not be built or loaded:</span>{' '}
          <ForeignText text={what} className="font-mono text-xs" />
        </Line>
      ))}
      {flaky.map(({ name, failed, runs, on }) => (
        <Line key={`${name} ${on}`}>
          <Badge tone="ask" word="flaky" /> <ForeignText text={name} /> failed in {failed} of {runs} runs{' '}
          {on === 'base' ? 'on the base' : 'on this tree'}
        </Line>
      ))}
      {skipped.map(({ probe, why }) => (
        <Line key={probe}>
          {probe} was left out: {why}
        </Line>
      ))}
      {notes.map((note) => (
        <Line key={note}>
          <ForeignText text={note} />
        </Line>
      ))}
    </Part>
  )
}

function count(tests: number): string {
  return tests === 0 ? 'no test is new' : `${tests} new ${tests === 1 ? 'test' : 'tests'}`
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div>
      <h3 className="text-xs font-semibold text-soft">{title}</h3>
      <ul className="mt-1 space-y-1">{children}</ul>
    </div>
  )
}

function Line({ children }: { readonly children: ReactNode }) {
  return <li>{children}</li>
}
