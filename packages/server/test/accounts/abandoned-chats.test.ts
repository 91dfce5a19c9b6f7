import { createWorld, ManualClock } from '@parley/testing';
import { turnOfLoop } from '@parley/testing/clocks/turn-of-loop.ts';
import { expect, test } from 'vitest';
import { upload } from '../helpers/file-stage.ts';
import { allText, rowsIn } from '../helpers/rows-in.ts';

const password = 'correct horse battery staple';

test(
  'PEOPLE-14: conversations without readers are emptied in batches; a conversation that another owner’s bot can read stays',
  { tags: ['long'] },
  async () => {
    const clock = new ManualClock();
    await using world = await createWorld({ clock });
    const otto = await world.member('otto');
    const { pia } = await world.people('pia');
    const bot = await world.bot(pia);
    await pia.api.setBotConfig({ username: bot.username, is_public: true });
    const { id: saved } = await world.direct(otto, otto);
    const file = await upload(otto, 'kept for me', 'secret.txt');
    await otto.api.sendMessage({ chat_id: saved, text: 'with a file', attachments: [{ id: file.id }] });
    for (let at = 0; at < 120; at += 1) await otto.api.sendMessage({ chat_id: saved, text: `for myself ${at}` });
    const { id: withAgent } = await otto.api.startChat({ username: 'otto:provider_a' });
    await otto.api.sendMessage({ chat_id: withAgent, text: 'between me and it' });
    const { id: apart } = await otto.api.startChat({ username: 'otto:provider_a', new: true });
    await otto.api.sendMessage({ chat_id: apart, text: 'apart from the rest' });
    const { id: withBot } = await world.direct(otto, bot);
    await otto.api.sendMessage({ chat_id: withBot, text: 'for the bot' });
    const { id: empty } = await world.group(otto);
    await otto.api.sendMessage({ chat_id: empty, text: 'into the void' });
    await world.turnsEnded();
    await otto.api.deleteAccount({ password });
    await clock.advance(1_000);
    while ((await rowsIn(world, 'chats_to_empty')) > 0) await turnOfLoop();
    const text = await allText(world);
    for (const gone of ['for myself', 'between me', 'apart from', 'into the void', 'with a file'])
      expect(text).not.toContain(gone);
    expect((await bot.api.getChatHistory({ chat_id: withBot })).items.map(({ content }) => content)).toContain(
      'for the bot',
    );
    expect(await rowsIn(world, 'files')).toBe(0);
  },
);

test('PEOPLE-14: a direct chat is emptied once both of its accounts, people or bots, are deleted', async () => {
  const clock = new ManualClock();
  await using world = await createWorld({ clock });
  const [otto, rita, pia, quin] = [
    await world.member('otto'),
    await world.member('rita'),
    await world.member('pia'),
    await world.person('quin'),
  ];
  const [bot, other] = [await world.bot(pia), await world.bot(quin)];
  for (const { api, username } of [
    { api: pia.api, username: bot.username },
    { api: quin.api, username: other.username },
  ])
    await api.setBotConfig({ username, is_public: true });
  const chats: string[] = [];
  for (const [with_, text] of [
    [rita, 'between people'],
    [bot, 'for the bot of a person who goes'],
    [other, 'for the bot that goes alone'],
    [quin, 'for who stays'],
  ] as const) {
    const { id: chat_id } = await world.direct(otto, with_);
    await otto.api.sendMessage({ chat_id, text });
    chats.push(text);
  }
  await world.turnsEnded();
  const left = async (): Promise<string[]> => {
    await clock.advance(1_000);
    while ((await rowsIn(world, 'chats_to_empty')) > 0) await turnOfLoop();
    const text = await allText(world);
    return chats.filter((one) => text.includes(one));
  };
  await otto.api.deleteAccount({ password });
  expect(await left()).toEqual(chats);
  await rita.api.deleteAccount({ password });
  expect(await left()).toEqual(chats.slice(1));
  await pia.api.deleteAccount({ password });
  expect(await left()).toEqual(chats.slice(2));
  await quin.api.deleteBot({ username: other.username });
  expect(await left()).toEqual(chats.slice(3));
});
