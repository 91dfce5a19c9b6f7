/** The median of a few rounds; undefined if every round failed. */
export function median(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  return upper === undefined || lower === undefined ? undefined : (upper + lower) / 2;
}

/** The value that `share` (0 to 1) of all values do not exceed. */
export function percentile(values: Iterable<number>, share: number): number | undefined {
  const sorted = Float64Array.from(values).toSorted();
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
}

/** `a / b` if both are known. */
export function ratio(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined || b === 0 ? undefined : a / b;
}

/** `a - b` if both are known. */
export function difference(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a - b;
}

export function smallest(values: Iterable<number>): number | undefined {
  let min: number | undefined;
  for (const value of values) if (min === undefined || value < min) min = value;
  return min;
}

export function largest(values: Iterable<number | undefined>): number | undefined {
  let max: number | undefined;
  for (const value of values) if (value !== undefined && (max === undefined || value > max)) max = value;
  return max;
}
