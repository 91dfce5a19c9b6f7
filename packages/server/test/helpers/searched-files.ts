import { turnOfLoop } from '@parley/testing/clocks/turn-of-loop.ts';
import type { Actor, World } from '@parley/testing';
import { HIT_END, HIT_START } from '../../rules/search-snippet.ts';
import { type FileContent, upload } from './file-stage.ts';

/** Reads all files that wait, and brings the search index up to date. */
export async function readFiles(world: World): Promise<void> {
  for (;;) {
    await world.service.files.texts.tend();
    const [row] = await world.sql<{ count: number }>('SELECT count(*) AS count FROM file_texts WHERE read_at IS NULL');
    if (!row?.count) break;
    await turnOfLoop();
  }
  await world.service.search.tend();
}

/** Sends a message with a file. */
export async function sendFile(actor: Actor, chat_id: string, content: FileContent, name = 'notes.txt', text = '') {
  const file = await upload(actor, content, name);
  const message = await actor.api.sendMessage({ chat_id, text, attachments: [{ id: file.id }] });
  return { file, message };
}

type Asked = Parameters<Actor['api']['searchMessages']>[0];

/** The names of files that a search finds, each with its snippet; null for a hit in the message itself. */
export async function foundFiles(actor: Actor, query: string, more: Partial<Asked> = {}): Promise<(string | null)[][]> {
  const { items } = await actor.api.searchMessages({ query, ...more });
  return items.map(({ message, snippet, file_id }) => [
    message.attachments.find(({ id }) => id !== undefined && id === file_id)?.name ?? null,
    snippet.replaceAll(HIT_START, '[').replaceAll(HIT_END, ']'),
  ]);
}

export const rowsOfTexts = (world: World) =>
  world.sql<{ read_at: number | null; text: string | null; tries: number }>(
    'SELECT read_at, text, tries FROM file_texts ORDER BY file_key',
  );
