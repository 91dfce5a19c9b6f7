import type { StoredMessage } from '@parley/client/store';
import { t } from './t.ts';

interface Note {
  readonly text: string;
  /** The note links to the agent's settings. */
  readonly needsKey?: true;
}

/** Failures whose note is about keys, budgets and settings: only people who can have agents can act on them. */
const keyFailures: Readonly<Record<string, Note>> = {
  no_key: {
    text: t('It needs an API key to answer here. You can add one of your own in its settings, then ask again.'),
    needsKey: true,
  },
  refused_key: { text: t('The provider rejected this agent’s key. Set a new one.'), needsKey: true },
  token_cap: {
    text: t('This agent has used up its owner’s budget for this month. Add your own key to go on.'),
    needsKey: true,
  },
  group_token_cap: {
    text: t(
      'Its tokens for this group are used up for this month. Its owner can allow more, and others can add their own key.',
    ),
    needsKey: true,
  },
  asker_token_cap: {
    text: t(
      'The tokens that its owner lets one person use in a day are used up. Ask again tomorrow (UTC), or add your own key.',
    ),
    needsKey: true,
  },
  house_token_cap: {
    text: t(
      'The tokens that this server pays for in a day are used up. Ask again tomorrow (UTC), or add your own key.',
    ),
    needsKey: true,
  },
  storage_full: { text: t('Its owner’s storage is full. Ask them to free some space.') },
  no_credit: {
    text: t('The account behind this key has no credit left. Top it up at the provider, or set another key.'),
    needsKey: true,
  },
  rate_limited: { text: t('This key has reached the provider’s rate limit. Ask again in a minute.') },
  overloaded: { text: t('The provider is overloaded. Ask again in a minute.') },
  too_long: {
    text: t(
      'This conversation is too long for the agent’s model. Start a new chat, or let the agent read fewer messages.',
    ),
  },
  bad_request: { text: t('The provider rejected the request. Check the model in the agent’s settings.') },
  timeout: { text: t('The provider took too long. Ask again.') },
  interrupted: {
    text: t(
      'The connection to the provider failed. Ask again. If it keeps failing, tell the people who run this service.',
    ),
  },
  protocol: { text: t('The provider sent an answer that can’t be read. Ask again.') },
};
const failures: Readonly<Record<string, Note>> = {
  ...keyFailures,
  filtered: { text: t('The provider’s content filter refused this. Ask in other words.') },
  too_many_waiting: {
    text: t(
      'Too many replies already wait for a decision of the person who asked. Decide some of them, then ask again.',
    ),
  },
  restart: { text: t('The service restarted during this reply. The last words may be missing. Ask again.') },
  lease: { text: t('The bot went offline during this reply. Ask again.') },
  bot: { text: t('The bot couldn’t finish this reply. Ask again.') },
};
const unavailable: Note = { text: t('It can’t answer right now. Try again later.') };
const cancels: Readonly<Record<string, Note>> = {
  stopped: { text: t('Stopped.') },
  removed: { text: t('Stopped: the agent has left this conversation.') },
};
/** Ends of replies that are complete. */
const ends: Readonly<Record<string, Note>> = {
  length: { text: t('This reply reached its maximum length.') },
  filtered: { text: t('The provider’s content filter ended this reply.') },
  tools: { text: t('The model called a tool that it can’t use here, so this reply ends without an answer.') },
  paused: { text: t('The provider paused this reply. Ask the agent to go on.') },
  unconfirmed: { text: t('The provider didn’t end its answer properly. The end of this reply may be missing.') },
  other: { text: t('The provider ended this reply for an unknown reason. Its end may be missing.') },
};
const other: Note = { text: t('This reply failed. Ask again.') };

/** The note of a reply that did not finish; null if there is none. `maySetKeys`: the reader is one who can have agents. */
export function noteOf(status: StoredMessage['status'], reason: string, maySetKeys: boolean): Note | null {
  if (status === 'failed') {
    if (!maySetKeys && Object.hasOwn(keyFailures, reason)) return unavailable;
    return Object.hasOwn(failures, reason) ? (failures[reason] ?? other) : other;
  }
  if (status === 'cancelled')
    return Object.hasOwn(cancels, reason) ? (cancels[reason] ?? null) : { text: t('Stopped.') };
  return status === 'complete' && Object.hasOwn(ends, reason) ? (ends[reason] ?? null) : null;
}
