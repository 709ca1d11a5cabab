// What a green result is worth.

export const STRENGTHS = ['proved', 'kept', 'thin', 'unverified'] as const
/**
 * Proved: this change turns something red into green, and breaking it is noticed. Kept: nothing new is claimed, and a
 * break of what was touched is noticed. Thin: green, but nothing shows that the tests see this change. Unverified: no
 * evidence.
 */
export type Strength = (typeof STRENGTHS)[number]
