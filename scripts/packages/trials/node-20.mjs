// Node 20 has no WebSocket: it is passed. Sends a message, and prints it as the store shows it once it is stored.
import { createClient } from '@parley/client';
import { createStore } from '@parley/client/store';
import { WebSocket } from 'ws';

const [url, token, chatId] = process.argv.slice(2);
const client = createClient({ url, token, WebSocket });
const store = createStore(client);
const timeline = store.timeline({ chat_id: chatId });
await timeline.jumpToNewest();
client.send({ chat_id: chatId, text: 'From Node 20' });
const row = store.message(timeline.get().ids.at(-1));
await new Promise((resolve) => {
  row.subscribe(() => row.get().outbox ?? resolve());
});
process.stdout.write(`${row.get().content}, ${client.state}`);
store.close();
client.close();
