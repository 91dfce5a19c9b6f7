import { ApiError } from '@parley/client';
import type { Session } from './session.ts';

/**
 * Whether the user may begin a chat with an account, or has begun one: with nobody else's private agent (CUSTOM-6). What
 * one may not do is not offered (WEB-473).
 */
export async function mayBeginChat({ client, store, username: me, may }: Session, username: string): Promise<boolean> {
  if (!may('startChat')) return false;
  const [owner, slug] = username.split(':');
  if (slug === undefined || owner === me) return true;
  const hasChat = store.chats.get().ids.some((id) => {
    const chat = store.chat(id).get();
    return chat?.kind === 'direct' && chat.participants.some((one) => one.username === username);
  });
  if (hasChat) return true;
  try {
    const { visibility } = await client.call('getAgent', { username });
    return visibility !== 'private';
  } catch (error) {
    // Without a connection nobody knows: the attempt says what is wrong.
    return !(error instanceof ApiError);
  }
}
