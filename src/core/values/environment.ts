/** The variables of a process: an unset one is missing or undefined. */
export type Environment = Readonly<Record<string, string | undefined>>
