import type { Chat } from '@parley/client/store';
import type { Message } from '@parley/protocol';
import { isPushWanted, subscribed, tell } from './push.ts';

/**
 * Shows a message on the device if notifications are on only while a page of the app is open (WEB-671). Called by a page
 * that nobody sees.
 */
export async function tellDevice({
  title,
  text: body,
  message,
  chat,
}: {
  title: string;
  text: string;
  message: Message;
  chat: Chat;
}): Promise<void> {
  if (!isPushWanted() || (await subscribed())) return;
  const registration = await navigator.serviceWorker.getRegistration('/');
  if (!registration) return;
  const place = { chatId: chat.id, messageId: message.id, position: message.position, icon: chat.avatar_url ?? null };
  tell(registration, { kind: 'news', news: { title, body, ...place } });
}
