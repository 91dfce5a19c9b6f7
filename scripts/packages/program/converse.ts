// What a program outside of this repository does with the packages: it uses every entry of @parley/client, and types of
// @parley/protocol. The tests compile it against the tarballs, not against the sources.
import { createClient } from '@parley/client';
import { createBot } from '@parley/client/bot';
import { createStore } from '@parley/client/store';
import type { Message, Params } from '@parley/protocol';

/** A bot answers a person in two pieces. Resolves to what the person read first, and to what they read at the end. */
export async function converse(url: string, token: string, botToken: string): Promise<string[]> {
  const bot = createBot({ url, token: botToken });
  async function* answer(): AsyncGenerator<string> {
    // The person reacts when they have read the first piece, perhaps before this function is asked for the next one.
    const reaction = new Promise<void>((resolve) => {
      bot.client.on('reactionAdded', () => resolve());
    });
    yield 'One';
    await reaction;
    yield ' and two';
  }
  bot.on('message', (ctx) => ctx.stream(answer()));
  await bot.start({ signals: false });

  const client = createClient({ url, token });
  const store = createStore(client);
  await new Promise<void>((resolve) => {
    client.onState((state) => {
      if (state === 'live') resolve();
    });
  });
  const chat = await client.call('startChat', { username: bot.username });
  store.putChat(chat);
  const question: Params<'sendMessage'> = { chat_id: chat.id, text: 'Count' };
  const read: string[] = [];
  const reply = await new Promise<Message>((resolve) => {
    client.on('messageStreaming', ({ id, content }) => {
      // A reply can be seen before its first text.
      if (content !== '' && read.push(content) === 1) void store.react(id, '👀', true);
    });
    client.on('messageComplete', resolve);
    client.send(question);
  });
  const [first = ''] = read;
  const shown = store.message(reply.id).get()?.content ?? '';

  store.close();
  client.close();
  await bot.stop();
  return [first, shown];
}
