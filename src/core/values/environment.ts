/** Variables as a process has them: one that is not set is missing or undefined. */
export type Environment = Readonly<Record<string, string | undefined>>
