// `{{name}}` in a text, filled once and literally: a value is never scanned for placeholders, and `$&` is just `$&`.
// `\{{name}}` stands for `{{name}}` itself.

const place = /\\?\{\{([^{}\n]*)\}\}/g

/** The names of all placeholders, in the order of the text, each once. */
export function placesIn(template: string): readonly string[] {
  const found = [...template.matchAll(place)].filter(([whole]) => !whole.startsWith('\\'))
  return [...new Set(found.map(([, name = '']) => name.trim()))]
}

/** Every placeholder must have a value. */
export function fillTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(place, (whole: string, name: string) =>
    whole.startsWith('\\') ? whole.slice(1) : (values[name.trim()] ?? whole),
  )
}
