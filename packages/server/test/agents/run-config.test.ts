import { type Actor, createWorld, ManualClock } from '@parley/testing';
import { describe, expect, test } from 'vitest';
import { cast, makeBot, newKey, refusal } from './settings-cast.ts';

describe('the settings of a turn', () => {
  test.each(['provider_a', 'provider_b'] as const)(
    'BOTCONF-12: the request to %s has the resolved settings',
    async (provider) => {
      await using world = await createWorld({ env: { PROVIDER_A_MODEL: 'usual', PROVIDER_B_MODEL: 'usual' } });
      const { ann } = await world.people('ann');
      const username = `ann:${provider}`;
      const key = newKey();
      world.providers.script(key, { chunks: ['ok'] });
      const chat = await ann.api.startChat({ username });
      await ann.api.setBotConfig({ username, secrets: { api_key: key } });
      await ann.api.sendMessage({ chat_id: chat.id, text: 'one' });
      const plain = await world.providers.waitForRequest(key, 1);
      expect(plain.body).toMatchObject({ model: 'usual' });
      expect(plain.body).not.toHaveProperty('temperature');
      expect(systemOf(plain.body)).toBeUndefined();
      await world.turnsEnded();
      const config = {
        model: 'mine',
        system_prompt: 'Speak like a pirate.',
        temperature: '0.25',
        max_output_tokens: '321',
      };
      await ann.api.setBotConfig({ username, config });
      await ann.api.sendMessage({ chat_id: chat.id, text: 'two' });
      const { body } = await world.providers.waitForRequest(key, 2);
      expect(body).toMatchObject({ model: 'mine', temperature: 0.25 });
      expect(body['max_tokens'] ?? body['max_completion_tokens']).toBe(321);
      expect(systemOf(body)).toBe('Speak like a pirate.');
      await world.turnsEnded();
    },
  );

  test('BOTCONF-10: each field is the asker’s own current value, otherwise the owner’s', async () => {
    await using world = await createWorld();
    const { ann, bob } = await world.people('ann', 'bob');
    const username = 'ann:provider_b';
    const [shared, own] = [newKey(), newKey()];
    for (const key of [shared, own]) world.providers.script(key, { chunks: ['ok'] });
    const group = await world.group(ann, bob);
    await ann.api.addGroupAgent({ chat_id: group.id, agent_username: username, always_on: true });
    const asked = async (actor: Actor, key: string): Promise<unknown[]> => {
      const before = world.providers.requestsOf(key).length;
      await actor.api.sendMessage({ chat_id: group.id, text: 'go' });
      const { body } = await world.providers.waitForRequest(key, before + 1);
      await world.turnsEnded();
      return [body['model'], systemOf(body)];
    };
    const set = (config: Record<string, string>) =>
      ann.api.setBotConfig({ username, config, secrets: { api_key: shared }, allowed_models: ['own'] });
    await set({ model: 'shared', system_prompt: 'first' });
    await bob.api.setMyBotConfig({ username, config: { model: 'own' } });
    expect(await asked(bob, shared)).toEqual(['own', 'first']);
    expect(await asked(ann, shared)).toEqual(['shared', 'first']);
    await set({ model: 'shared', system_prompt: 'second' });
    await bob.api.setMyBotConfig({ username, secrets: { api_key: own } });
    expect(await asked(bob, own)).toEqual(['own', 'second']);
    expect(await asked(ann, shared)).toEqual(['shared', 'second']);
    await ann.api.setMyBotConfig({ username, config: { system_prompt: 'for me alone' } });
    expect(await asked(ann, shared)).toEqual(['shared', 'for me alone']);
    await bob.api.setMyBotConfig({ username, config: {}, secrets: { api_key: '' } });
    expect(await asked(bob, shared)).toEqual(['shared', 'second']);
    // The asker's own key suffices if the owner has none.
    await ann.api.setBotConfig({ username, secrets: { api_key: '' } });
    await bob.api.setMyBotConfig({ username, secrets: { api_key: own } });
    expect(await asked(bob, own)).toEqual(['shared', 'second']);
  });

  test('BOTCONF-10: a waiting turn uses the settings at the moment it starts', async () => {
    await using world = await createWorld({ settings: { turnsAtOnce: 1 } });
    const { ann } = await world.people('ann');
    const username = 'ann:provider_a';
    const key = newKey();
    await ann.api.setAgentKey({ provider: 'provider_a', api_key: key });
    await ann.api.setBotConfig({ username, config: { model: 'before' } });
    const chat = await ann.api.startChat({ username });
    const first = world.providers.steer(key);
    await ann.api.sendMessage({ chat_id: chat.id, text: 'one' });
    expect((await first.started).body['model']).toBe('before');
    await ann.api.sendMessage({ chat_id: chat.id, text: 'two' });
    await ann.api.setBotConfig({ username, config: { model: 'after' } });
    world.providers.script(key, { chunks: ['ok'] });
    first.text('ok');
    first.end();
    expect((await world.providers.waitForRequest(key, 2)).body['model']).toBe('after');
    await world.turnsEnded();
  });

  test('BOTCONF-11: a stored value that cannot be opened counts as not set, and is logged without its content', async () => {
    await using world = await createWorld({ expectsErrors: true });
    const { ann, bot, group, username } = await cast(world);
    await ann.api.setBotConfig({ username, config: { limit: '7' }, secrets: { token: 'shared-token' } });
    await ann.api.setMyBotConfig({ username, config: { limit: '8' }, secrets: { token: 'own-token' } });
    await world.sql(`UPDATE agent_overrides SET config = '{"limit":"many","gone":"x"}'`);
    await world.sql('UPDATE override_secrets SET sealed = (SELECT sealed FROM agent_secrets)');
    const message = await ann.api.sendMessage({ chat_id: group.id, text: 'go' });
    const run = await bot.api.getRunConfig({ message_id: message.id });
    expect(run).toEqual({ user: 'ann', config: { limit: '7' }, secrets: { token: 'shared-token' } });
    const errors = world.logs.filter(({ level }) => level >= 50);
    expect(errors).toMatchObject([{ msg: 'a secret could not be opened', agent: username }]);
    expect(JSON.stringify(errors)).not.toMatch(/shared-token|own-token/);
  });
});

describe('getRunConfig', () => {
  test('BOTCONF-13: a bot gets the resolved values of the human who fired it, over either transport', async () => {
    await using world = await createWorld();
    const { ann, bob, bot, group, username } = await cast(world);
    const secrets = { token: 'shared-token', pin: '2222' };
    await ann.api.setBotConfig({ username, config: { symbol: 'SHARED', notes: 'notes' }, secrets });
    await bob.api.setMyBotConfig({ username, config: { symbol: 'OWN' }, secrets: { token: 'own-token' } });
    const [bobs, anns] = [
      await bob.api.sendMessage({ chat_id: group.id, text: 'go' }),
      await ann.api.sendMessage({ chat_id: group.id, text: 'go' }),
    ];
    const forBob = {
      user: 'bob',
      config: { symbol: 'OWN', notes: 'notes', limit: '10' },
      secrets: { token: 'own-token', pin: '2222' },
    };
    expect(await bot.api.getRunConfig({ message_id: bobs.id })).toEqual(forBob);
    const socket = await bot.socket();
    expect(await socket.rpc('getRunConfig', { message_id: bobs.id })).toEqual(forBob);
    expect(await bot.api.getRunConfig({ message_id: anns.id })).toEqual({
      user: 'ann',
      config: { symbol: 'SHARED', notes: 'notes', limit: '10' },
      secrets,
    });
    // Changed settings also apply to messages that were sent before the change.
    await bob.api.setMyBotConfig({ username, config: { limit: '3' }, secrets: { token: '' } });
    expect(await bot.api.getRunConfig({ message_id: bobs.id })).toEqual({
      user: 'bob',
      config: { symbol: 'SHARED', notes: 'notes', limit: '3' },
      secrets,
    });
  });

  test('BOTCONF-13: in a chain of agents the values are those of the human at the root', async () => {
    await using world = await createWorld();
    const { ann, bob, bot, group, username } = await cast(world);
    const second = await makeBot(world, ann, 'second');
    await ann.api.addGroupAgent({ chat_id: group.id, agent_username: second.username });
    await bob.api.setMyBotConfig({ username: second.username, config: { symbol: 'ROOT' } });
    await ann.api.setMyBotConfig({ username: second.username, config: { symbol: 'OWNER' } });
    const question = await bob.api.sendMessage({ chat_id: group.id, text: `@${username} go` });
    const { id } = await bot.api.startMessageStream({ chat_id: group.id, reply_to_message_id: question.id });
    // The second bot is not fired yet.
    expect(await refusal(second.api.getRunConfig({ message_id: id }))).toBe('404');
    await bot.api.finishMessageStream({ message_id: id, text: `over to @${second.username}` });
    expect(await second.api.getRunConfig({ message_id: id })).toMatchObject({
      user: 'bob',
      config: { symbol: 'ROOT' },
    });
    expect(await refusal(second.api.getRunConfig({ message_id: question.id }))).toBe('404');
  });

  test('BOTCONF-13, DISPATCH-19: after a bot that nobody asked the values are those of its owner', async () => {
    await using world = await createWorld();
    const { ann, bob, bot, group } = await cast(world);
    const second = await makeBot(world, ann, 'second');
    await ann.api.addGroupAgent({ chat_id: group.id, agent_username: second.username });
    await bob.api.setMyBotConfig({ username: second.username, config: { symbol: 'ROOT' } });
    await ann.api.setMyBotConfig({ username: second.username, config: { symbol: 'OWNER' } });
    // The bot hears it, and answers.
    const heard = await bob.api.sendMessage({ chat_id: group.id, text: 'go' });
    const { id } = await bot.api.startMessageStream({ chat_id: group.id, reply_to_message_id: heard.id });
    await bot.api.finishMessageStream({ message_id: id, text: `over to @${second.username}` });
    expect(await second.api.getRunConfig({ message_id: id })).toMatchObject({
      user: 'ann',
      config: { symbol: 'OWNER' },
    });
  });

  test('BOTCONF-14: getRunConfig serves only the fired bot, while it takes part', async () => {
    await using world = await createWorld();
    const { ann, bob, carol, bot, group, username } = await cast(world);
    const other = await makeBot(world, ann, 'other');
    await ann.api.addGroupAgent({ chat_id: group.id, agent_username: other.username });
    await bob.api.setMyBotConfig({ username, secrets: { token: 'canary-token' } });
    const { id: message_id } = await bob.api.sendMessage({ chat_id: group.id, text: 'go' });
    for (const human of [ann, bob, carol]) expect(await refusal(human.api.getRunConfig({ message_id }))).toBe('403');
    expect(await refusal(bob.api.getRunConfig({ message_id: group.id }))).toBe('403');
    expect(await refusal(other.api.getRunConfig({ message_id }))).toBe('404');
    expect(await refusal(bot.api.getRunConfig({ message_id: group.id }))).toBe('404');
    const own = await bot.api.sendMessage({ chat_id: group.id, text: 'nobody asked' });
    expect(await refusal(bot.api.getRunConfig({ message_id: own.id }))).toBe('404');
    const deleted = await bob.api.sendMessage({ chat_id: group.id, text: 'never mind' });
    await bob.api.deleteMessages({ message_ids: [deleted.id] });
    expect(await refusal(bot.api.getRunConfig({ message_id: deleted.id }))).toBe('404');
    expect((await bot.api.getRunConfig({ message_id })).secrets).toEqual({ token: 'canary-token' });
    await ann.api.removeGroupAgent({ chat_id: group.id, agent_username: username });
    expect(await refusal(bot.api.getRunConfig({ message_id }))).toBe('404');
  });

  test('BOTCONF-14: getRunConfig serves for an hour, and no longer', async () => {
    const clock = new ManualClock();
    await using world = await createWorld({ clock });
    const { bob, bot, group } = await cast(world);
    const { id: message_id } = await bob.api.sendMessage({ chat_id: group.id, text: 'go' });
    await clock.advance(3_600_000);
    expect((await bot.api.getRunConfig({ message_id })).user).toBe('bob');
    await clock.advance(1);
    expect(await refusal(bot.api.getRunConfig({ message_id }))).toBe('404');
  });
});

/** The system prompt in a request to either vendor. */
function systemOf(body: Readonly<Record<string, unknown>>): unknown {
  const messages = body['messages'] as readonly { role: string; content: string }[]; // the fake has checked its shape
  return body['system'] ?? messages.find(({ role }) => role === 'system')?.content;
}
