import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { BotProcess } from '@parley/testing/bot/bot-process.ts';
import { BotStage } from '@parley/testing/bot/stage.ts';

const folder = (name: string): string => fileURLToPath(new URL(`../../../examples/${name}`, import.meta.url));

function run(stage: BotStage, name: string, token = stage.account.token): BotProcess {
  return new BotProcess(['bot.ts'], { cwd: folder(name), env: { PARLEY_URL: stage.world.url, PARLEY_TOKEN: token } });
}

test('BOTSDK-18: the echo example replies with the text that it was sent', async () => {
  await using stage = await BotStage.start();
  await using bot = run(stage, 'echo');
  expect((await stage.answerTo(await stage.say('hello'))).content).toBe('You said: hello');
  expect([await bot.stop(), bot.said]).toEqual([0, '']);
});

test('BOTSDK-18: cards, whose buttons and forms the service confirms', async () => {
  await using stage = await BotStage.start();
  await using bot = run(stage, 'cards');
  const { alice, chatId: chat_id, socket } = stage;
  expect((await stage.answerTo(await stage.say('what?'))).content).toMatch(/^I can show markdown, cards/);
  const whole = await stage.answerTo(await stage.say('all'));
  expect(whole.content).toContain('# Markdown');
  const buttons = await stage.answerTo(await stage.say('buttons'));
  const press = async (message_id: string, action: string, fields?: Record<string, string>) => {
    await alice.api.sendComponentAction({ chat_id, message_id, action, ...(fields && { fields }) });
    return (await socket.event('messageNew', ({ reply_to_id }) => reply_to_id === message_id)).content;
  };
  const [action = ''] = /trade:[^"]+/.exec(buttons.content) ?? [];
  expect(await press(buttons.id, action)).toContain('Buy order placed');
  const form = await stage.answerTo(await stage.say('form'));
  expect(await press(form.id, 'form_submit:feedback', { name: 'Ann' })).toContain('Form submitted');
  expect([await bot.stop(), bot.said]).toEqual([0, '']);
});

test('BOTSDK-18, BOTSDK-38: approval, which goes on after a kill', async () => {
  await using stage = await BotStage.start();
  const { alice } = stage;
  await using first = run(stage, 'approval');
  expect((await stage.answerTo(await stage.say('hi'))).content).toMatch(/^Say `.deploy`/);
  const asked = await stage.say('/deploy web-7');
  const { id: decision_id, decision } = await stage.placeholderOf(asked);
  expect(decision).toMatchObject({ state: 'open', deciders: ['alice'] });
  await first.stop('SIGKILL');
  await using second = run(stage, 'approval');
  const fields = { at: 'tonight', notify: true };
  await alice.api.decide({ decision_id, option: 'deploy', fields });
  expect((await stage.answerTo(asked)).content).toBe(
    'web-7 is deployed tonight, and the customers are told. alice decided.',
  );
  const again = await stage.say('/deploy web-8');
  const { id: declined } = await stage.placeholderOf(again);
  await alice.api.decide({ decision_id: declined, option: 'decline' });
  expect((await stage.answerTo(again)).content).toBe('web-8 was not deployed: alice declined.');
  expect([first.said, await second.stop(), second.said]).toEqual(['', 0, '']);
});

test('BOTSDK-18: openai-compatible, with the URL, model and key of the human who asks', async () => {
  await using stage = await BotStage.start();
  const { alice, world } = stage;
  const field = (key: string) => ({ key, label: key, type: 'string' as const });
  const { bot: made, token } = await alice.api.createBot({
    slug: 'model',
    display_name: 'Model',
    config_schema: ['base_url', 'model', 'system_prompt'].map(field),
    secret_schema: [field('api_key')],
  });
  const chat = await alice.api.startChat({ username: made.username });
  await using bot = run(stage, 'openai-compatible', token);
  expect((await stage.answerTo(await stage.say('hi', chat.id))).content).toMatch(/I need `base_url`/);

  const reply = world.providers.steer('sk-of-alice');
  const config = { base_url: world.providers.urlB, model: 'a-model', system_prompt: 'Be brief.' };
  await alice.api.setMyBotConfig({ username: made.username, config, secrets: { api_key: 'sk-of-alice' } });
  const asked = await stage.say('and now?', chat.id);
  const { body } = await reply.started;
  expect(body).toMatchObject({ model: 'a-model' });
  expect(body['messages']).toEqual([
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'hi' },
    { role: 'assistant', content: expect.stringMatching(/I need/) },
    { role: 'user', content: 'and now?' },
  ]);
  reply.text('It ');
  await stage.socket.event('messageDelta', ({ delta }) => delta === 'It ');
  reply.text('works 😀');
  reply.end();
  expect(await stage.answerTo(asked)).toMatchObject({ content: 'It works 😀', status: 'complete' });

  const stopped = world.providers.steer('sk-of-alice');
  const again = await stage.say('tell me a long story', chat.id);
  await stopped.started;
  stopped.text('Once upon');
  await stage.socket.event('messageDelta', ({ delta }) => delta === 'Once upon');
  await alice.api.stopRun({ chat_id: chat.id });
  await stopped.aborted;
  expect(await stage.answerTo(again)).toMatchObject({ content: 'Once upon', status: 'cancelled' });
  expect([await bot.stop(), bot.said]).toEqual([0, '']);

  const { said } = bot;
  expect(said).not.toContain('sk-of-alice');
});

test('BOTSDK-18: unit-converter, inline and in messages', async () => {
  await using stage = await BotStage.start();
  await using bot = run(stage, 'unit-converter');
  expect((await stage.answerTo(await stage.say('5 lb in kg'))).content).toBe('5 lb = 2.26796 kg');
  const { alice, account, chatId: chat_id } = stage;
  const suggested = await alice.api.queryInline({ bot_username: account.username, chat_id, query: '10 km in mi' });
  expect(suggested.results).toEqual(['10 km = 6.21371 mi']);
  expect([await bot.stop(), bot.said]).toEqual([0, '']);
});
