/** What a push of the service tells (PUSH-15, PUSH-20, PUSH-23). `badge`: null where it says nothing of one. */
export type Push =
  | {
      kind: 'message';
      title: string;
      body: string;
      chatId: string;
      messageId: string;
      position: number;
      badge: number | null;
    }
  | { kind: 'close'; chatId: string; position: number; badge: number | null }
  | { kind: 'badge'; badge: number }
  /** Something that this worker is too old for, or that is none of ours. */
  | { kind: 'unknown' };

/** Kept with a notification. */
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
  const { title, body, chat_id, message_id, position } = push;
  if (typeof title === 'string' && typeof body === 'string' && typeof chat_id === 'string')
    return {
      kind: 'message',
      title,
      body,
      chatId: chat_id,
      messageId: typeof message_id === 'string' ? message_id : '',
      position: isCount(position) ? position : 0,
      badge,
    };
  return badge === null ? { kind: 'unknown' } : { kind: 'badge', badge };
}

/** Whether a message is newer than all that is shown of its conversation: pushes may overtake each other. */
export const isNews = (position: number, shown: readonly unknown[]): boolean =>
  shown.every((data) => (dataOf(data)?.position ?? 0) <= position);

/** Whether a notification is over once all up to `position` is: what came later stays. */
export function isOver(data: unknown, chatId: string, position: number): boolean {
  const known = dataOf(data);
  return known?.chatId === chatId && known.position <= position;
}

/** Of a notification of ours; anything else is null. */
export function dataOf(data: unknown): NotificationData | null {
  if (!isObject(data)) return null;
  const { chatId, messageId, position } = data;
  return typeof chatId === 'string' && typeof messageId === 'string' && typeof position === 'number'
    ? { chatId, messageId, position }
    : null;
}

export const chatPath = (chatId: string): string => `/chat/${encodeURIComponent(chatId)}`;

/**
 * Safari ends a subscription whose pushes show nothing a few times; other browsers let a push pass that only takes
 * something back, or that comes while the app is in sight.
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
