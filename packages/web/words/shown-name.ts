import { DELETED_NAME } from '@parley/protocol/deleted-name';
import { calmText } from './calm-text.ts';
import { direction } from './language.ts';
import { t } from './t.ts';

let showsOwners = true;

/** For the widget, whose visitors do not know the people who own its agents (WIDGET-15). Called before anything is shown. */
export function hideOwners(): void {
  showsOwners = false;
}

/** Whether an agent's handle, which names its owner, stands beside its name. */
export const hasOwnersShown = (): boolean => showsOwners;

/**
 * The name under which the app shows an account. Agents can have any display name, so the name of an agent is always
 * followed by its owner's username, which is unique (WEB-63). That of a deleted account is the service's word (WEB-430).
 */
export function shownName({ kind, username, display_name }: Named): string {
  const name = nameAlone(display_name);
  const colon = username.indexOf(':');
  return showsOwners && kind === 'agent' && colon > 0 ? `${name} · ${username.slice(0, colon)}` : name;
}

/** A display name where the owner stands on a line of its own. */
export const nameAlone = (displayName: string): string =>
  displayName === DELETED_NAME ? t('Deleted account') : calmText(displayName);

/** A username with its @, for the interface. In a language from right to left the @ stays in front. */
export const handleOf = (username: string): string => `${direction === 'rtl' ? '\u200E' : ''}@${username}`;

export interface Named {
  readonly kind: 'human' | 'agent';
  readonly username: string;
  readonly display_name: string;
}
