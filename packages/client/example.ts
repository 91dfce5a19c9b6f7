import { createClient } from '@parley/client';
import { createStore } from '@parley/client/store';

const { PARLEY_URL = 'http://127.0.0.1:8080', PARLEY_TOKEN = 'dev:alice' } = process.env;
const client = createClient({ url: PARLEY_URL, token: PARLEY_TOKEN });
const store = createStore(client);

// "Saved messages": the direct chat of an account with itself.
const { username } = await client.api.getMe();
const chat = await client.api.startChat({ username });
store.putChat(chat);

// A window of the conversation that shows its newest messages.
const timeline = store.timeline({ chat_id: chat.id });
await timeline.jumpToNewest();

// Shown immediately and sent exactly once, even if the connection breaks.
client.send({ chat_id: chat.id, text: 'Hello, me' });
const row = store.message(timeline.get().ids.at(-1) ?? '');
process.stdout.write(`${row.get()?.content}: ${row.get()?.outbox?.state}\n`);

row.subscribe(() => {
  const message = row.get();
  if (message?.outbox) return;
  process.stdout.write(`${message?.content}: stored\n`);
  store.close();
  client.close();
});
