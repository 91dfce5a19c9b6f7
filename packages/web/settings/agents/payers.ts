import type { PaysFor } from '@parley/protocol';
import { t } from '../../words/t.ts';

/** For whom else the owner's key of an agent can pay. */
export const payers: readonly { value: PaysFor; label: string }[] = [
  { value: 'nobody', label: t('Nobody') },
  { value: 'groups', label: t('People in its groups') },
  { value: 'everyone', label: t('Everyone') },
];

/** Explains each choice to the owner. */
export const payerMeanings: Record<PaysFor, string> = {
  nobody: t('Only you. Others need their own API key.'),
  groups: t('People who share a group with this agent, also in private chats with it. Others need their own API key.'),
  everyone: t('Anyone who can chat with this agent uses your tokens, up to the limit below.'),
};
