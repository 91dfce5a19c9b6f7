import { ofCaller } from '../../commits/unit-locks.ts';
import { announceState } from '../../conversations/announce.ts';
import { idText } from '../../core/ids.ts';
import { pinsOfList, setPinOrder } from '../../store/chat-states.ts';
import { unit } from '../handler.ts';

/** Gives the pinned conversations the same numbers in another order, so no pin is lost or added (CHATSTATE-3). */
export default unit('orderPinnedChats', { locks: ofCaller }, async (call, { chat_ids }) => {
  const { tx, caller } = call;
  const pins = await tx.all(pinsOfList, caller.key);
  const places = new Map(pins.map((pin) => [idText(pin.chat_id), pin]));
  const first = [...new Set(chat_ids)].flatMap((id) => places.get(id) ?? []);
  const ordered = [...new Set([...first, ...pins])];
  for (const [at, { chat_key, pin_order }] of ordered.entries()) {
    const order = pins[at]?.pin_order;
    if (order === undefined || order === pin_order) continue;
    await tx.run(setPinOrder, chat_key, caller.key, order);
    await announceState(call, chat_key);
  }
  return undefined;
});
