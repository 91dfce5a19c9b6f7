import type { Bench } from './bench.ts';

/** One figure of the final table. */
export interface Line {
  figure: string;
  value: number | undefined;
  unit: string;
  /** The target, if there is one. */
  target?: { atLeast: number } | { atMost: number };
  /** Set if the target is a limit that the caller has asked for, which fails the run when it is missed. */
  isLimit?: boolean;
}

/** The figures under one key of the JSON: a number, or named numbers; null if nothing was measured. */
export type Figures = number | null | Record<string, number | null>;

export interface Outcome {
  figures: Figures;
  /** Figures under further keys of the JSON. */
  more?: Record<string, Figures>;
  lines: Line[];
}

export interface Scenario {
  /** The key in the JSON and in `--only`. */
  key: string;
  title: string;
  /** Returns one line about what the scenario needs and this machine lacks; the scenario is then skipped. */
  lacks?(): string | undefined;
  run(bench: Bench): Promise<Outcome>;
}

export type Verdict = 'pass' | 'SHORT' | 'n/a' | '';

export function verdictOf(line: Line): Verdict {
  if (line.target === undefined) return '';
  if (line.value === undefined) return 'n/a';
  const met = 'atLeast' in line.target ? line.value >= line.target.atLeast : line.value <= line.target.atMost;
  return met ? 'pass' : 'SHORT';
}

export function rounded(value: number | undefined, digits = 0): number | null {
  return value === undefined ? null : Number(value.toFixed(digits));
}
