// Measures several things side by side: A B C, B C A, C A B … so that whatever else the machine does hits all alike, and
// none of them always comes after the same other.

export interface Contender<Sample> {
  readonly name: string
  readonly measure: () => Promise<Sample>
}

/** The samples of each contender. The first round warms caches up and is not counted. */
export async function interleave<Sample>(
  contenders: readonly Contender<Sample>[],
  rounds: number,
): Promise<{ readonly name: string; readonly samples: readonly Sample[] }[]> {
  const measured = contenders.map(({ name, measure }) => ({ name, measure, samples: [] as Sample[] }))
  for (let round = 0; round <= rounds; round += 1) {
    const first = round % measured.length
    for (const { measure, samples } of [...measured.slice(first), ...measured.slice(0, first)]) {
      const sample = await measure()
      if (round > 0) samples.push(sample)
    }
  }
  return measured
}
