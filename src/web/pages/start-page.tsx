// From words to a plan.
import { useState } from 'react'
import { Panel } from '../parts/panel.tsx'
import { navigate } from '../router.tsx'
import { WordsForm } from '../new-build/words-form.tsx'
import { useTitle } from '../title.ts'

/** A reload keeps the text. */
const KEY = 'ralph-start'

export function StartPage() {
  useTitle('Start', 'idle')
  const [text, setText] = useState(() => sessionStorage.getItem(KEY) ?? '')
  const change = (next: string): void => {
    setText(next)
    sessionStorage.setItem(KEY, next)
  }
  return (
    <div className="mx-auto max-w-3xl">
      <h1 className="mb-3 text-base font-semibold">Start a build</h1>
      <Panel title="What do you want?">
        <WordsForm
          text={text}
          onChange={change}
          onPlanned={(idea) => {
            sessionStorage.removeItem(KEY)
            navigate({ at: 'plan', idea })
          }}
        />
      </Panel>
    </div>
  )
}
