import type { Message } from '@parley/protocol';
import { read } from '../../call.ts';
import { idBytes } from '../../ids.ts';
import type { RawJson } from '../../json.ts';
import { messageById, messageJson } from '../../store/messages.ts';
import { Slice } from '../../slices.ts';
import { isVisible } from './visibility.ts';

export default read('getMessages', async (call, input) => {
  const items: RawJson<Message>[] = [];
  const slice = new Slice();
  for (const id of new Set(input.message_ids)) {
    const row = await call.tx.get(messageById, idBytes(id));
    if (row && (await isVisible(call, row))) items.push(await messageJson(call.tx, row, call.service.texts));
    await slice.pause();
  }
  return { items };
});
