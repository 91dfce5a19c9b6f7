// For tests: a store of a service played by the test, with one conversation in it.
import { createClient } from '@parley/client';
import { createStore, type StoreOptions } from '@parley/client/store';
import { expect, onTestFinished } from 'vitest';
import { account, FakeService, settled } from './fake-service.ts';

export const message = (id: string, position: number, more: object = {}) => ({
  id,
  position,
  conversation_id: 'chat',
  channel_id: null,
  thread_root_id: null,
  sender: account('bot'),
  content: id,
  attachments: [],
  reply_to_id: null,
  mentions: [],
  dispatch: [],
  reactions: [],
  created_at: `2026-01-01T00:00:0${position}.000Z`,
  content_revision: 1,
  status: 'complete',
  ...more,
});

export const conversation = (last_message: object) => ({
  id: 'chat',
  kind: 'direct',
  title: null,
  description: null,
  participants: [],
  participant_count: 2,
  people_count: 2,
  channels: [],
  pinned_message_ids: [],
  needs_you: 0,
  open_decisions: [],
  is_muted: false,
  unread_count: 0,
  last_read_message_id: null,
  last_read_position: 0,
  last_message,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
});

export const result = (answer: object) => () => ({ body: { ok: true, result: answer } });

/** A live store that shows the messages of one conversation; `page`: what its page of the history has besides. */
export async function showing(history: object[], options: StoreOptions = {}, page: object = {}) {
  const service = new FakeService();
  service.answers = {
    getChats: result({ items: [conversation(history.at(-1) ?? {})], head: 0 }),
    getDrafts: result({ items: [] }),
    getFolders: result({ items: [] }),
    getChatHistory: result({ items: history, ...page }),
  };
  const client = createClient({ ...service.options, caps: ['ext', 'focus'] });
  const store = createStore(client, { clock: service.clock, ...options });
  onTestFinished(() => {
    store.close();
    client.close();
  });
  const timeline = store.timeline({ chat_id: 'chat' });
  timeline.subscribe(() => {});
  await settled();
  service.socket.hello(0);
  await settled();
  let seq = 0;
  const frame = (method: string, params: object): void => service.socket.frame((seq += 1), seq - 1, method, params);
  expect([client.state, timeline.get().isLoaded]).toEqual(['live', true]);
  return { service, client, store, timeline, frame, socket: service.socket };
}
