/** How many photos stand in each row of a message's grid: two or three, the shorter rows first. */
export function photoRows(count: number): number[] {
  const rows = Math.ceil(count / 3);
  const short = rows * 3 - count;
  return Array.from({ length: rows }, (_, row) => (row < short ? 2 : 3));
}
