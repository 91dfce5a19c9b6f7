import type { StoredMessage } from '@parley/client/store';

interface Note {
  readonly text: string;
  /** The note links to the agent's settings. */
  readonly needsKey?: true;
}

const failures: Readonly<Record<string, Note>> = {
  no_key: { text: 'It needs a key to answer.', needsKey: true },
  refused_key: { text: 'The provider rejected this agent’s key. Set a new one.', needsKey: true },
  token_cap: {
    text: 'This agent has used up its owner’s budget for this month. Add your own key to go on.',
    needsKey: true,
  },
  group_token_cap: {
    text: 'Its tokens for this group are used up for this month. Its owner can allow more, and others can add their own key.',
    needsKey: true,
  },
  asker_token_cap: { text: 'Add your own key to go on today.', needsKey: true },
  storage_full: { text: 'Its owner’s storage is full. Ask them to free some space.' },
  rate_limited: { text: 'This key has reached the provider’s rate limit. Ask again in a minute.' },
  overloaded: { text: 'The provider is overloaded. Ask again in a minute.' },
  bad_request: { text: 'The provider rejected the request. Check the model in the agent’s settings.' },
  timeout: { text: 'The provider took too long. Ask again.' },
  interrupted: {
    text: 'The connection to the provider failed. Ask again. If it keeps failing, tell the people who run this service.',
  },
  protocol: { text: 'The provider sent an answer that can’t be read. Ask again.' },
  restart: { text: 'The service restarted during this reply. The last words may be missing. Ask again.' },
  lease: { text: 'The bot went offline during this reply. Ask again.' },
  bot: { text: 'The bot couldn’t finish this reply. Ask again.' },
};
const cancels: Readonly<Record<string, Note>> = {
  stopped: { text: 'Stopped.' },
  removed: { text: 'Stopped: the agent has left this conversation.' },
};
const other: Note = { text: 'This reply failed. Ask again.' };

/** The note of a reply that did not finish; null if there is none. */
export function noteOf(status: StoredMessage['status'], reason: string): Note | null {
  if (status === 'failed') return Object.hasOwn(failures, reason) ? (failures[reason] ?? other) : other;
  if (status === 'cancelled') return Object.hasOwn(cancels, reason) ? (cancels[reason] ?? null) : { text: 'Stopped.' };
  return status === 'complete' && reason === 'length' ? { text: 'This reply reached its maximum length.' } : null;
}
