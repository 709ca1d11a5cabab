// The choice of a repository where the server serves several.
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { server } from '../server.ts'

interface RepositoryChoiceProps {
  readonly names: readonly string[]
  readonly name: string
  readonly onChange: (name: string) => void
}

/** Shows nothing where there is nothing to choose. */
export function RepositoryChoice({ names, name, onChange }: RepositoryChoiceProps) {
  const id = useId()
  if (names.length < 2) return null
  return (
    <div>
      <label htmlFor={id} className="mb-1 block text-xs font-medium text-soft">
        Repository
      </label>
      <select
        id={id}
        value={name}
        onChange={({ target }) => onChange(target.value)}
        className="w-full rounded-md border border-line bg-page px-3 py-1.5 text-sm"
      >
        {names.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </select>
    </div>
  )
}

interface ChosenRepository {
  readonly choice: RepositoryChoiceProps
  /** For the request; empty where there is only one. */
  readonly said: { readonly repository?: string }
}

export function useRepository(): ChosenRepository {
  const { data } = useQuery({
    queryKey: ['repositories'],
    queryFn: ({ signal }) => server.repositories({}, { signal }),
  })
  const [chosen, setChosen] = useState<string | null>(null)
  const names = data?.repositories.map(({ name }) => name) ?? []
  const name = chosen ?? names[0] ?? ''
  return { choice: { names, name, onChange: setChosen }, said: names.length < 2 ? {} : { repository: name } }
}
