import { direction } from './language.ts';

/**
 * The name under which the app shows an account. Agents can have any display name, so the name of an agent is always
 * followed by its owner's username, which is unique (WEB-63).
 */
export function shownName({ kind, username, display_name }: Named): string {
  const colon = username.indexOf(':');
  return kind === 'agent' && colon > 0 ? `${display_name} · ${username.slice(0, colon)}` : display_name;
}

/** A username with its @, for the interface. In a language from right to left the @ stays in front. */
export const handleOf = (username: string): string => `${direction === 'rtl' ? '\u200E' : ''}@${username}`;

export interface Named {
  readonly kind: 'human' | 'agent';
  readonly username: string;
  readonly display_name: string;
}
