// The form for a goal, a spec or a list of tasks.
import { type FormEvent, useState } from 'react'
import { ListTree } from 'lucide-react'
import { server } from '../server.ts'
import { Button } from '../parts/button.tsx'
import { Field } from '../parts/field.tsx'
import { Problem } from '../parts/problem.tsx'
import { RepositoryChoice, useRepository } from '../parts/repository-choice.tsx'

/** The most that a planner reads. */
const TEXT_LENGTH_MAX = 262_144

interface WordsFormProps {
  readonly text: string
  readonly onChange: (text: string) => void
  /** The idea whose words these are; left out: a new one. */
  readonly idea?: string
  readonly onPlanned: (idea: string) => void
}

export function WordsForm({ text, onChange, idea, onPlanned }: WordsFormProps) {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const { choice, said } = useRepository()
  const plan = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (text.trim() === '') return
    setBusy(true)
    setError(null)
    try {
      const made = await server.makePlan({ text, ...(idea === undefined ? said : { idea_id: idea }) })
      onPlanned(made.idea_id)
    } catch (refused) {
      setError(refused)
    } finally {
      setBusy(false)
    }
  }
  return (
    <form onSubmit={(event) => void plan(event)} className="space-y-3">
      <Field
        label="Goal, spec or list of tasks"
        value={text}
        onChange={onChange}
        rows={10}
        lengthMax={TEXT_LENGTH_MAX}
        placeholder="Add a health endpoint that answers 200 and the version, with a test"
        hint="A goal or a spec is read by the planner, which makes tasks of it. A list (boxes such as '- [ ] Title', or JSON) is taken as it is."
      />
      {idea === undefined && <RepositoryChoice {...choice} />}
      {error !== null && <Problem error={error} />}
      <Button look="first" type="submit" icon={ListTree} isBusy={isBusy} isOff={text.trim() === ''}>
        {isBusy ? 'Asking…' : 'Make a plan'}
      </Button>
      <p className="text-xs text-soft">You see the plan, and can change it, before anything is built.</p>
    </form>
  )
}
