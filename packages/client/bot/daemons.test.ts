import type { Message } from '@parley/protocol';
import { describe, expect, test } from 'vitest';
import { BotStage } from '@parley/testing/bot/stage.ts';

describe('BOTSDK-3, BOTSDK-4: replies that are continued', () => {
  /** A group with the bot and Alice's agent, and its reply that was cut off. */
  async function cutOff(stage: BotStage, chunk: string) {
    const { world, alice, account } = stage;
    const bob = await world.member('bob');
    const { id: chat_id } = await world.group(alice, bob);
    await alice.api.setAgentKey({ provider: 'provider_a', api_key: 'key' });
    const agent = `${alice.username}:provider_a`;
    for (const agent_username of [agent, account.username]) await alice.api.addGroupAgent({ chat_id, agent_username });
    world.providers.script('key', { chunks: [chunk], finish: 'max_tokens' });
    await alice.api.sendMessage({ chat_id, text: `@${agent} ?` });
    const { id: message_id } = await stage.socket.event('messageComplete', ({ content }) => content === chunk);
    const goOn = async (more: string, meanwhile = async (): Promise<void> => {}): Promise<Message> => {
      const reply = world.providers.steer('key');
      await alice.api.continueReply({ message_id });
      await reply.started;
      await meanwhile();
      reply.text(more);
      reply.end();
      return stage.socket.event('messageComplete', ({ content }) => content === `${chunk}${more}`);
    };
    return { chat_id, goOn };
  }

  test('a bot that has received a reply is called when a later end of the reply fires it', async () => {
    await using stage = await BotStage.start();
    const bot = stage.bot();
    const fired: [string, boolean][] = [];
    bot.on('any', (ctx) => {
      if (ctx.message.sender.kind === 'agent') fired.push([ctx.text, ctx.isDispatched]);
    });
    bot.on('message', (ctx) => ctx.reply('here'));
    await bot.start({ signals: false });
    const { goOn } = await cutOff(stage, 'Ask');
    const whole = await goOn(` @${stage.account.username}`);
    expect((await stage.answerTo(whole)).content).toBe('here');
    expect(fired.map(([, isDispatched]) => isDispatched)).toEqual([false, true]);
  });

  test('the next daemon does not answer a reply again that goes on after it was answered', async () => {
    await using stage = await BotStage.start();
    const runs: string[] = [];
    const start = async () => {
      const bot = stage.bot();
      bot.on('message', (ctx) => {
        runs.push(ctx.text);
        return ctx.reply(`about ${ctx.text}`);
      });
      await bot.start({ signals: false });
      return bot;
    };
    const first = await start();
    const startAgain = async (): Promise<void> => void (await start());
    const { chat_id, goOn } = await cutOff(stage, `Ask @${stage.account.username}`);
    await stage.socket.event('messageComplete', ({ content }) => content.startsWith('about Ask'));
    await first.stop();
    await goOn(' please', startAgain);
    await stage.answerTo(await stage.say(`@${stage.account.username} next`, chat_id));
    expect(runs).toHaveLength(2);
    expect(runs[1]).toContain('next');
  });
});
