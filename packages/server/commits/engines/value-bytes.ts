/** Estimated bytes of a number, a property or an object; precise enough for limits. */
const CELL = 16;

/** Estimates how many bytes a value of JSON, or of byte arrays, takes in memory. */
export function valueBytes(value: unknown): number {
  let bytes = 0;
  const left: unknown[] = [value];
  while (left.length > 0) {
    const one = left.pop();
    bytes += CELL;
    if (typeof one === 'string') bytes += one.length;
    else if (ArrayBuffer.isView(one)) bytes += one.byteLength;
    else if (typeof one === 'object' && one !== null) for (const inner of Object.values(one)) left.push(inner);
  }
  return bytes;
}
