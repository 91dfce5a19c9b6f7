import type { PaysFor } from '@parley/protocol';

/** For whom else the owner's key of an agent can pay. */
export const payers: readonly { value: PaysFor; label: string }[] = [
  { value: 'nobody', label: 'Nobody' },
  { value: 'groups', label: 'People in its groups' },
  { value: 'everyone', label: 'Everyone' },
];

/** Explains each choice to the owner. */
export const payerMeanings: Record<PaysFor, string> = {
  nobody: 'Only you. Others need their own API key.',
  groups: 'People who share a group with this agent, also in private chats with it. Others need their own API key.',
  everyone: 'Anyone who can chat with this agent uses your tokens, up to the limit below.',
};
