/** A person's receipt: how far it has read a conversation. */
export interface Reading {
  account: number;
  position: number;
}

/** What the participants of a conversation may know of how far the others have read. */
export interface Knowledge {
  /** What the participants know who are not named here, if anybody has read something; otherwise 0. */
  position: number;
  /** What single participants know instead: the reader who is furthest, and those whom a block separates from it. */
  others: ReadonlyMap<number, number>;
}

/**
 * Each participant knows the position of the reader who is furthest, other than itself and without a block between
 * them. `readings` are sorted, the furthest first; `blocks` are pairs of a reader and another participant.
 */
export function knowledgeOf(
  readings: readonly Reading[],
  blocks: readonly (readonly [reader: number, other: number])[],
): Knowledge {
  const [first] = readings;
  if (!first) return { position: 0, others: new Map() };
  const isApart = new Set(blocks.map(([reader, other]) => `${reader} ${other}`));
  const exceptions = [first.account, ...blocks.flatMap(([reader, other]) => (reader === first.account ? [other] : []))];
  const others = new Map<number, number>();
  for (const account of exceptions) {
    const next = readings.find((one) => one.account !== account && !isApart.has(`${one.account} ${account}`));
    others.set(account, next?.position ?? 0);
  }
  return { position: first.position, others };
}
