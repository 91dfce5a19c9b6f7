// Links that invite. May import: chats/chat and the rooms below chats.
import { t } from '../../words/t.ts';

/** How long a link may be valid, in seconds; an empty value for ever. */
export const expiries = [
  { value: '3600', label: t('1 hour') },
  { value: '86400', label: t('1 day') },
  { value: '604800', label: t('7 days') },
  { value: '2592000', label: t('30 days') },
  { value: '', label: t('Never') },
];

/** What was typed, as limits of a link as createInvite and createServiceInvite take them; null if the uses are no whole number above 0. */
export function inviteLimits(expiry: string, uses: string) {
  const max_uses = uses.trim() === '' ? undefined : Number(uses);
  if (max_uses !== undefined && !(Number.isInteger(max_uses) && max_uses > 0)) return null;
  return { expires_in: expiry === '' ? undefined : Number(expiry), max_uses };
}
