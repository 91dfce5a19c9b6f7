// Starts a service from the checkout that PARLEY_CHECKOUT names, with the argument `in-process` in this process, and
// prints what a person reads there.
import { startParley } from '@parley/testing-kit';

const inProcess = process.argv.includes('in-process');
const parley = await startParley({ inProcess, users: ['ann'], bots: ['ann:helper'] });
const ann = parley.user('ann');
const { id: chat_id } = await ann.api.startChat({ username: 'ann:helper' });
await parley.bots['ann:helper'].api.sendMessage({ chat_id, text: 'hello' });
const { items } = await ann.api.getChatHistory({ chat_id });
await parley.stop();
process.stdout.write(JSON.stringify(items.map(({ content }) => content)));
