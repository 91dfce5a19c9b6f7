import type { StoredMessage } from '@parley/client/store';

interface Note {
  readonly text: string;
  /** The agent's settings help. */
  readonly needsKey?: true;
}

const failures: Readonly<Record<string, Note>> = {
  no_key: { text: 'Without a key it cannot answer.', needsKey: true },
  refused_key: { text: 'The provider refuses this agent’s key.', needsKey: true },
  token_cap: {
    text: 'This agent has used up what its owner allows for this month. A key of your own lets you go on.',
    needsKey: true,
  },
  asker_token_cap: { text: 'A key of your own lets you go on today.', needsKey: true },
  storage_full: { text: 'Its owner has no room left for more messages.' },
  rate_limited: { text: 'The provider has too much to do for this key. Ask again in a minute.' },
  overloaded: { text: 'The provider is overloaded. Ask again in a minute.' },
  bad_request: { text: 'The provider did not accept the request. The agent’s model may be wrong.' },
  timeout: { text: 'The provider took too long. Ask again.' },
  interrupted: {
    text: 'The provider could not be reached, or broke off. Ask again, or ask whoever runs this service.',
  },
  protocol: { text: 'The provider’s answer could not be read. Ask again.' },
  restart: { text: 'The service was restarted in the middle of this. The last words may be missing. Ask again.' },
  lease: { text: 'The bot stopped answering in the middle of this. Ask again.' },
  bot: { text: 'The bot could not finish this.' },
};
const cancels: Readonly<Record<string, Note>> = {
  stopped: { text: 'Stopped.' },
  removed: { text: 'Stopped: the agent is no longer here.' },
};
const other: Note = { text: 'The answer failed. Ask again.' };

/** Why a reply did not come to its end, and what to do; null where there is nothing to say. */
export function noteOf(status: StoredMessage['status'], reason: string): Note | null {
  if (status === 'failed') return Object.hasOwn(failures, reason) ? (failures[reason] ?? other) : other;
  if (status === 'cancelled') return Object.hasOwn(cancels, reason) ? (cancels[reason] ?? null) : { text: 'Stopped.' };
  return status === 'complete' && reason === 'length'
    ? { text: 'This answer reached the longest that is allowed.' }
    : null;
}
