export function TaskPage({ task, iteration }: { readonly task: string; readonly iteration: string | null }) {
  return (
    <p>
      {task} {iteration}
    </p>
  )
}
