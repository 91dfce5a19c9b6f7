import type { News } from './messages.ts';

/** A parsed push of the service (PUSH-15, PUSH-20, PUSH-23). `badge` is null if it has none. */
export type Push =
  | ({ kind: 'message'; badge: number | null } & News)
  | { kind: 'close'; chatId: string; position: number; badge: number | null }
  | { kind: 'badge'; badge: number }
  /** A push from a newer service, or in an unknown format. */
  | { kind: 'unknown' };

/** Stored in a notification's `data`. */
export interface NotificationData {
  chatId: string;
  messageId: string;
  position: number;
}

export function parsePush(text: string): Push {
  const push = objectOf(() => JSON.parse(text));
  const badge = isCount(push['badge']) ? push['badge'] : null;
  if (isObject(push['close'])) {
    const { chat_id, position } = push['close'];
    if (typeof chat_id === 'string' && isCount(position)) return { kind: 'close', chatId: chat_id, position, badge };
  }
  const { title, body, chat_id, message_id, position, icon } = push;
  if (typeof title === 'string' && typeof body === 'string' && typeof chat_id === 'string')
    return {
      kind: 'message',
      title,
      body,
      chatId: chat_id,
      messageId: typeof message_id === 'string' ? message_id : '',
      position: isCount(position) ? position : 0,
      badge,
      icon: typeof icon === 'string' && icon.startsWith('/avatars/') ? icon : null,
    };
  return badge === null ? { kind: 'unknown' } : { kind: 'badge', badge };
}

/** Whether a message is newer than the shown notifications of its conversation: pushes can arrive out of order. */
export const isNews = (position: number, shown: readonly unknown[]): boolean =>
  shown.every((data) => (dataOf(data)?.position ?? 0) <= position);

/** Whether reading up to `position` closes a notification; those of later messages stay open. */
export function isOver(data: unknown, chatId: string, position: number): boolean {
  const known = dataOf(data);
  return known?.chatId === chatId && known.position <= position;
}

/** The data of one of our notifications; null for any other. */
export function dataOf(data: unknown): NotificationData | null {
  if (!isObject(data)) return null;
  const { chatId, messageId, position } = data;
  return typeof chatId === 'string' && typeof messageId === 'string' && typeof position === 'number'
    ? { chatId, messageId, position }
    : null;
}

export const chatPath = (chatId: string): string => `/chat/${encodeURIComponent(chatId)}`;

/**
 * Safari revokes a subscription after a few pushes without a notification. Other browsers accept silent pushes, such as
 * those that close a notification or arrive while the app is visible.
 */
export const mustShowSomething = (userAgent: string): boolean =>
  /AppleWebKit/.test(userAgent) && !/Chrom(?:e|ium)|Android/.test(userAgent);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

function objectOf(parse: () => unknown): Record<string, unknown> {
  try {
    const value = parse();
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
