// Loaded before a node's program: its machine's clock goes wrong by CLOCK_SHIFT_MS.
const shiftMs = Number(process.env['CLOCK_SHIFT_MS']);
const now = Date.now.bind(Date);

class ShiftedDate extends Date {
  static override now(): number {
    return now() + shiftMs;
  }

  constructor(...given: readonly unknown[]) {
    // As Date itself takes them.
    super(...((given.length === 0 ? [now() + shiftMs] : given) as [number]));
  }
}

globalThis.Date = ShiftedDate as DateConstructor; // never called without `new`
