import type { Chat, StoredMessage } from '@parley/client/store';
import type { Decision } from '@parley/protocol';
import { roleOf } from '../../../chats/chat/roles.ts';
import { listOf } from '../../../words/list-of.ts';
import { handleOf, shownName } from '../../../words/shown-name.ts';
import { t } from '../../../words/t.ts';

/** Whether the reader may decide, as far as the app knows: of a large group it knows the first participants. */
export function mayDecide({ open_decisions, ...chat }: Chat, message: StoredMessage, decision: Decision, me: string) {
  if (open_decisions.includes(message.id)) return true;
  const { deciders } = decision;
  if (Array.isArray(deciders)) return deciders.includes(me);
  return deciders === 'anyone' || roleOf({ open_decisions, ...chat }, me) !== 'member';
}

/** The name of an account that may take part. */
export function nameIn({ participants }: Chat, username: string): string {
  const account = participants.find((one) => one.username === username);
  return account ? shownName(account) : handleOf(username);
}

const namesOf = (chat: Chat, usernames: readonly string[]): string =>
  listOf(usernames.map((username) => nameIn(chat, username)));

/** Who may decide an open decision. */
export function decidersText(chat: Chat, { deciders }: Decision, me: string): string {
  if (deciders === 'anyone') return t('Anyone here can decide. The first answer counts.');
  if (deciders === 'admins') return t('The owner and admins of the group can decide. The first answer counts.');
  const others = deciders.filter((username) => username !== me);
  if (others.length === 0) return t('Only you can decide.');
  const names = namesOf(chat, others);
  return others.length === deciders.length
    ? t('{count, plural, one {Only {names} can decide.} other {{names} can decide. The first answer counts.}}', {
        names,
        count: others.length,
      })
    : t('You and {names} can decide. The first answer counts.', { names });
}

/** For whom a private decision exists. */
export function audienceText(chat: Chat, { sender }: StoredMessage, { deciders, kind }: Decision, me: string): string {
  const people = new Set([
    ...(Array.isArray(deciders) ? deciders : []),
    ...(kind === 'question' ? [sender.username] : []),
  ]);
  people.delete(me);
  return people.size === 0
    ? t('Only you see this.')
    : t('Only you and {names} see this.', { names: namesOf(chat, [...people]) });
}
