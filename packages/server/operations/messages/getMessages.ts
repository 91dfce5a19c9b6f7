import { read } from '../handler.ts';
import type { Needs } from '../rooms.ts';
import { idBytes } from '../../core/ids.ts';
import { type Light, lightByIdOfAny, type MessageRow } from '../../store/messages.ts';
import { renderPage } from './history-page.ts';
import { isVisible } from '../../messages/visibility.ts';

/**
 * The messages that the caller may see, in the order of the request, until the page is full. With `more` the caller
 * must request the ids after the last returned one again. Missing messages before it are invisible to the caller; those
 * after it have not been read (HIST-7, HIST-10).
 */
export default read('getMessages', async (call, input, { texts }: Needs<'texts'>) => {
  const ids = [...new Set(input.message_ids)].map(idBytes);
  const visible: Light<MessageRow>[] = [];
  for (const row of await call.tx.gather(lightByIdOfAny, ids)) if (await isVisible(call, row)) visible.push(row);
  const { shown, taken } = await renderPage(call, texts, visible);
  const items = shown.map(({ message }) => message);
  return { items, more: taken.length < visible.length ? true : undefined };
});
