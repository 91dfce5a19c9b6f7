// Loaded before a node's program: shifts its machine's clock by CLOCK_SHIFT_MS.
const shiftMs = Number(process.env['CLOCK_SHIFT_MS']);
const now = Date.now.bind(Date);

class ShiftedDate extends Date {
  static override now(): number {
    return now() + shiftMs;
  }

  constructor(...given: readonly unknown[]) {
    // The same arguments as Date.
    super(...((given.length === 0 ? [now() + shiftMs] : given) as [number]));
  }
}

globalThis.Date = ShiftedDate as DateConstructor; // never called without `new`
