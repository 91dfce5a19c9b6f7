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

/** By their names in docs/decisions/0014. Today's comes first; what carries the events, then what orders them. */
export const designs = {
  today: { ...interest, name: 'one channel (today)', common: 'whole' },
  fewBuckets: { ...interest, name: 'interest in 256 buckets, a line per batch', channels: 256 },
  manyBuckets: { ...interest, name: 'interest in 65,536 buckets, a line per batch', channels: 65_536 },
  gathered: { ...interest, name: 'a channel per conversation, lines gathered for 5 ms', common: 'gathers' },
  interest: { ...interest, name: 'a channel per conversation, a line per batch' },
  numbers: { ...interest, name: '… and transient events gathered for 40 ms', numbersUs: 40_000 },
  oneWriter: { ...interest, name: '… and one writer per node', numbersUs: 40_000, writers: 1 },
  earlyToday: { ...early, name: 'one channel, the row freed before the flush, 40 ms', common: 'whole' },
  early: { ...early, name: 'a channel per conversation, the row freed before the flush, 40 ms' },
  blocks: { ...early, name: 'the same with blocks of numbers instead of the row', order: 'blocks' },
  rows: { ...early, name: 'the same with 16 rows and gathered lines', common: 'gathers', rows: 16 },
} as const satisfies Record<string, Design>;
