import { textsOfPage } from '../../rendering/accounts.ts';
import type { Message } from '@parley/protocol';
import type { ReadCall } from '../handler.ts';
import { notFound } from '../../core/errors.ts';
import { idBytes } from '../../core/ids.ts';
import type { RawJson } from '../../core/json.ts';
import {
  type Light,
  lightById,
  messageByKey,
  type MessageRow,
  visibleStatus,
  wholeMessage,
} from '../../store/messages.ts';
import { type LiveTexts, messageJson } from '../../rendering/messages.ts';
import { slicedPage } from '../sliced-page.ts';

export interface ShownMessage {
  row: Light<MessageRow>;
  message: RawJson<Message>;
}

/**
 * Messages that the caller may see as JSON, in the given order, until the page has 1 MiB; at least one (HIST-6).
 * `taken` are the rows up to the end of the page, including those left out.
 */
export async function renderPage(
  call: ReadCall,
  texts: LiveTexts,
  rows: readonly Light<MessageRow>[],
): Promise<{ shown: ShownMessage[]; taken: Light<MessageRow>[] }> {
  const { tx, caller } = call;
  const accounts = await textsOfPage(call, rows);
  const statusOf = async ({ key }: Light<MessageRow>) => (await tx.get(visibleStatus, key, caller.key))?.status;
  const page = await slicedPage({
    rows,
    async render(row, isStale) {
      if (isStale && (await statusOf(row)) === undefined) return undefined;
      const whole = isStale ? await tx.get(messageByKey, row.key) : await wholeMessage(tx, row);
      // The message may have been deleted since the rows were read, even if this page has not paused.
      if (!whole || whole.deleted_at !== null) return undefined;
      // After a pause the senders, like the rows, may have changed since they were read.
      const source = isStale ? call : { tx, accounts };
      return { json: await messageJson(source, whole, texts), status: whole.status };
    },
    // A reply that has ended since it was rendered is rendered again: no event after the answer would show its end.
    holds: async (row, { status }) => (await statusOf(row)) === status,
  });
  return {
    shown: page.shown.map(({ row, part }) => ({ row, message: part.json })),
    taken: rows.slice(0, page.taken),
  };
}

/** The key of a message of this conversation; any other id is 404. */
export async function keyInChat({ tx, caller }: ReadCall, chatKey: number, messageId: string): Promise<number> {
  const row = await tx.get(lightById, idBytes(messageId), caller.key);
  if (!row || row.chat_key !== chatKey) throw notFound('message');
  return row.key;
}
