/** The protocol leaves fields out, or sends null for them. */
export const isGiven = <Value>(value: Value | null | undefined): value is Value =>
  value !== null && value !== undefined;
