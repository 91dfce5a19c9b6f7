// Which names people, bots and groups may have, so that no name passes for the service’s or hides who is speaking.
import { Actor, createWorld, type World } from '@parley/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

const password = 'correct horse battery staple';
const refused = (field: string) => ({ status: 400, parameters: { field } });

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const impostors = ['Parley guide', 'parley', 'Раrlеу guide', 'ParIey support', 'P a r l e y', 'Par\u200bley guide'];

test('ACCT-9: no account or bot can take a display name that could pass for the service’s', async () => {
  const { eve } = await world.people('eve');
  const bot = await world.bot(eve, 'helper');
  const visitor = new Actor(world, 'nobody', '');
  for (const display_name of impostors) {
    const no = refused('display_name');
    await expect(visitor.api.signUp({ username: 'mallory', password, display_name })).rejects.toMatchObject(no);
    await expect(eve.api.createBot({ slug: 'guide', display_name })).rejects.toMatchObject(no);
    await expect(eve.api.updateProfile({ display_name })).rejects.toMatchObject(no);
    await expect(bot.api.updateProfile({ display_name })).rejects.toMatchObject(no);
  }
  expect(await eve.api.getMe()).toMatchObject({ display_name: 'eve' });
  const { display_name } = await eve.api.getUser({ username: 'parley:guide' });
  expect(display_name).toBe('Parley guide');
});

test('ACCT-9: no new username contains the reserved word, because it is the default display name', async () => {
  const visitor = new Actor(world, 'nobody', '');
  for (const username of ['parley_guide', 'par_ley', 'par1ey', 'theparleyteam'])
    await expect(visitor.api.signUp({ username, password })).rejects.toMatchObject({ status: 409 });
  const stranger = new Actor(world, 'parley_guide', 'dev:parley_guide');
  await expect(stranger.api.getMe()).rejects.toMatchObject({ status: 401 });
});

const deceptive: [what: string, name: string][] = [
  ['a right-to-left override', 'Ann\u202egnp.exe'],
  ['an isolate', 'Ann \u2066x\u2069'],
  ['a right-to-left mark', 'Ann\u200f'],
  ['an Arabic letter mark', 'Ann\u061c'],
  ['a line break', 'Ann\nBob: yes'],
  ['a carriage return', 'Ann\rBob'],
  ['a line separator', 'Ann\u2028Bob'],
  ['a control character', 'Ann\u0085'],
  ['a tab', 'Ann\tBob'],
  ['spaces alone', '   '],
  ['zero width spaces alone', '\u200b\u200b'],
  ['a Hangul filler alone', '\u3164'],
  ['an empty Braille cell alone', '\u2800'],
];

test.each(deceptive)('ACCT-10: %s is refused in every name and title', async (_what, name) => {
  const { vic, wes } = await world.people('vic', 'wes');
  const visitor = new Actor(world, 'nobody', '');
  const group = await world.group(vic, wes);
  const chat_id = group.id;
  const called = refused('display_name');
  const titled = refused('title');
  await expect(visitor.api.signUp({ username: 'trudy', password, display_name: name })).rejects.toMatchObject(called);
  await expect(vic.api.updateProfile({ display_name: name })).rejects.toMatchObject(called);
  await expect(vic.api.createBot({ slug: 'b', display_name: name })).rejects.toMatchObject(called);
  await expect(vic.api.startChat({ usernames: ['wes'], title: name })).rejects.toMatchObject(titled);
  await expect(vic.api.setChatTitle({ chat_id, title: name })).rejects.toMatchObject(titled);
  await expect(vic.api.createChannel({ chat_id, title: name })).rejects.toMatchObject(titled);
  const config_schema = [{ key: 'tone', label: name, type: 'string' as const }];
  await expect(vic.api.createBot({ slug: 'b', display_name: 'B', config_schema })).rejects.toMatchObject({
    status: 400,
  });
});

test('ACCT-10: names in all scripts, with joined emoji and accents, are accepted', async () => {
  const { zoe } = await world.people('zoe');
  for (const display_name of ['Zoë', 'دانا', 'נועה', '田中', '👩‍👩‍👧', 'می‌خواهم', 'O’Neil-Smith, Jr.', ' Ann '])
    expect(await zoe.api.updateProfile({ display_name })).toMatchObject({ display_name });
});

test('ACCT-10: the title of an alert must be one line', async () => {
  const { gus, hal } = await world.people('gus', 'hal');
  await world.direct(gus, hal);
  const alert = { to_username: 'hal', text: 'two\nlines' };
  await gus.api.pushAlert({ ...alert, title: '' });
  await expect(gus.api.pushAlert({ ...alert, title: 'a\u202eb' })).rejects.toMatchObject(refused('title'));
});
