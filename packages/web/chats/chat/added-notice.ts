import { firstOf } from '../../words/list-of.ts';
import { handleOf, type Named, shownName } from '../../words/shown-name.ts';
import { t } from '../../words/t.ts';
import type { NameOf } from './known-names.ts';

/** Maximum names in one line. */
const MAX_NAMES = 3;

/** What a notice says about what its sender has added; null for any other notice. */
export function addedOf(service: unknown): { usernames: readonly string[] } | { channelId: string } | null {
  if (!isRecord(service)) return null;
  const { kind, targets, data } = service;
  if (kind === 'channel_created' && isRecord(data) && typeof data['channel_id'] === 'string')
    return { channelId: data['channel_id'] };
  if (kind !== 'members_added' || !Array.isArray(targets)) return null;
  const usernames = targets.filter((name) => typeof name === 'string');
  return usernames.length > 0 ? { usernames } : null;
}

interface Told {
  added: NonNullable<ReturnType<typeof addedOf>>;
  sender: Named;
  me: string;
  nameOf: NameOf;
  /** The title of a channel; undefined if it is deleted. */
  titleOf: (channelId: string) => string | undefined;
}

/** The line of such a notice. */
export function addedText({ added, sender, me, nameOf, titleOf }: Told): string {
  const isMine = sender.username === me;
  const name = shownName(sender);
  if ('channelId' in added) {
    const title = titleOf(added.channelId) ?? '…';
    return isMine
      ? t('You created the channel “{title}”', { title })
      : t('{name} created the channel “{title}”', { name, title });
  }
  const others = added.usernames.filter((username) => username !== me);
  const names = firstOf(
    others.map((username) => nameOf(username) ?? handleOf(username)),
    MAX_NAMES,
  );
  if (isMine) return t('You added {names}', { names });
  if (others.length === added.usernames.length) return t('{name} added {names}', { name, names });
  return others.length === 0 ? t('{name} added you', { name }) : t('{name} added you and {names}', { name, names });
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
