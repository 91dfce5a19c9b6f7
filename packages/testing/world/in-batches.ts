/** How many run at the same time: fewer than the requests, and the long texts, of one account that may wait. */
const AT_ONCE = 50;

/** Does it for all, a few at the same time. */
export async function inBatches<Item>(items: readonly Item[], work: (item: Item) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < items.length; at += AT_ONCE) await Promise.all(items.slice(at, at + AT_ONCE).map(work));
}

/** Does it so many times. */
export const repeatedly = (times: number, work: (at: number) => Promise<unknown>): Promise<void> =>
  inBatches([...Array(times).keys()], work);
