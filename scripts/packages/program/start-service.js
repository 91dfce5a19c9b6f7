// Starts a service from the checkout that PARLEY_CHECKOUT names, and prints what a person reads there.
import { startParley } from '@parley/testing-kit';

const parley = await startParley({ users: ['ann'], bots: ['ann:helper'] });
const ann = parley.user('ann');
const { id: chat_id } = await ann.api.startChat({ username: 'ann:helper' });
await parley.bots['ann:helper'].api.sendMessage({ chat_id, text: 'hello' });
const { items } = await ann.api.getChatHistory({ chat_id });
await parley.stop();
process.stdout.write(JSON.stringify(items.map(({ content }) => content)));
