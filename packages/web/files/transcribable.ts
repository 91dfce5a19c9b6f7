import type { Chat, Store, StoredMessage } from '@parley/client/store';

/** Whether an agent of the conversation may be able to transcribe a voice message in the message: the service decides. */
export const isTranscribable = (store: Store, { participants }: Chat, { attachments }: StoredMessage): boolean =>
  attachments.some(
    ({ id, duration_ms, transcript }) => id !== undefined && duration_ms !== undefined && transcript === undefined,
  ) &&
  participants.some(({ kind, username }) => {
    // Of an agent that the app has not seen yet it does not know the provider.
    const { agent_provider = 'provider_b' } = store.account(username).get() ?? {};
    return kind === 'agent' && agent_provider === 'provider_b';
  });
