// Token usage of agents, and what it costs.
import type { Result } from '@parley/protocol';
import { read } from '../handler.ts';
import { idBytes, idText } from '../../core/ids.ts';
import { isVisible } from '../../messages/visibility.ts';
import { lightByIdOfAny } from '../../store/messages.ts';
import { pricesOfReply } from '../../store/usage.ts';

/** What the caller has paid for each reply; a reply of which the caller may learn no price is left out (PRICE-5). */
export default read('getReplyPrices', async (call, { message_ids }) => {
  const { tx, caller } = call;
  const items: Result<'getReplyPrices'>['items'] = [];
  const ids = [...new Set(message_ids)].map(idBytes);
  for (const row of await tx.gather(lightByIdOfAny, ids)) {
    if (!(await isVisible(call, row))) continue;
    const prices = await tx.all(pricesOfReply, caller.key, row.key);
    if (prices.length > 0) items.push({ message_id: idText(row.id), prices });
  }
  return { items };
});
