export function Loading() {
  return (
    <p role="status" className="py-10 text-center text-soft">
      Loading…
    </p>
  )
}
