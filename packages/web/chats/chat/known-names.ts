import type { Chat, Store } from '@parley/client/store';
import { mentionAt } from '@parley/markdown';
import { shownName } from '../../words/shown-name.ts';

/** Returns the name under which the app shows a mentioned account, if it knows the account. */
export type NameOf = (username: string) => string | undefined;

/** The names that the store knows, also of a conversation's participants. */
export const knownNames =
  (store: Pick<Store, 'account'>, chat?: Pick<Chat, 'participants'>): NameOf =>
  (username) => {
    const person =
      store.account(username).get() ?? chat?.participants.find((participant) => participant.username === username);
    return person && shownName(person);
  };

/** A plain text with the names of known mentions. */
export const withNames = (text: string, nameOf: NameOf): string =>
  text.replaceAll(/@[\w:]+/g, (found, at: number) => {
    const mentioned = mentionAt(text, at);
    const name = mentioned === undefined ? undefined : nameOf(mentioned.toLowerCase());
    return mentioned === undefined || name === undefined ? found : `@${name}${found.slice(1 + mentioned.length)}`;
  });
