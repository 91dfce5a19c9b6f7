/** How nodes hear of batches, and what orders these. */
export interface Design {
  readonly name: string;
  /**
   * What every node hears: `whole` batches; a `line` per batch that names its scopes; lines that one node `gathers` for
   * some milliseconds, which delays what is sent by as much.
   */
  readonly common: 'whole' | 'line' | 'gathers';
  /** Number of channels that share all conversations; Infinity for one per conversation. Unused for `whole`. */
  readonly channels: number;
  /** Number of Redis servers that share the channels of conversations. */
  readonly shards: number;
  /**
   * What gives the numbers: `row` locks a row until the commit is flushed; `early` frees it when the commit is written,
   * before the flush; `blocks` gives numbers to batches before they commit, and readers wait for all lower ones.
   */
  readonly order: 'row' | 'early' | 'blocks';
  /** Rows that share the conversations. */
  readonly rows: number;
  /** Batches with messages that a node runs at once. */
  readonly writers: number;
  /** How long transient events of a node are gathered before they take numbers. */
  readonly numbersUs: number;
}

/** How long lines are gathered. */
export const GATHER_US = 5_000;

const interest = {
  common: 'line',
  channels: Infinity,
  shards: 1,
  order: 'row',
  rows: 1,
  writers: 4,
  numbersUs: 4_000,
} as const;
const early = { ...interest, order: 'early', numbersUs: 40_000 } as const;

/** Today's design comes first. What carries the events, then what orders them. */
export const designs = {
  today: { ...interest, name: 'one channel (today)', common: 'whole' },
  fewBuckets: { ...interest, name: 'lines, 256 buckets', channels: 256 },
  manyBuckets: { ...interest, name: 'lines, 65,536 buckets', channels: 65_536 },
  interest: { ...interest, name: 'lines, a channel per conversation' },
  gathered: { ...interest, name: 'the same, lines gathered for 5 ms', common: 'gathers' },
  numbers: { ...interest, name: 'lines, numbers gathered for 40 ms', numbersUs: 40_000 },
  oneWriter: { ...interest, name: 'the same, one writer per node', numbersUs: 40_000, writers: 1 },
  earlyToday: { ...early, name: 'one channel, row free before the flush, numbers 40 ms', common: 'whole' },
  early: { ...early, name: 'lines, row free before the flush, numbers 40 ms' },
  blocks: { ...early, name: 'lines, blocks of numbers, numbers 40 ms', order: 'blocks' },
  rows: { ...early, name: 'gathered lines, 16 rows free before the flush, numbers 40 ms', common: 'gathers', rows: 16 },
} as const satisfies Record<string, Design>;
