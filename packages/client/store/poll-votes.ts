import type { StoreState } from './state.ts';

/** Maximum messages per request. */
const MAX_IDS = 100;

/** Fetches the account's votes in polls whose vote is unknown; events keep them up to date (POLL-7). */
export async function loadPollVotes(state: StoreState, keys: readonly string[]): Promise<void> {
  const { client, journal, messages } = state;
  const unknown = keys.map((key) => messages.idOf(key)).filter((id) => messages.votes.get(id) === null);
  for (let from = 0; from < unknown.length; from += MAX_IDS) {
    const ids = unknown.slice(from, from + MAX_IDS);
    await journal.fetch(
      async () => client.call('getPollVotes', { message_ids: ids }),
      ({ items }) => {
        const found = new Map(items.map(({ message_id, options }) => [message_id, options]));
        for (const id of ids) messages.setVote({ message_id: id, options: found.get(id) ?? [] });
      },
    );
  }
}
