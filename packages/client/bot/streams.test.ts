import { describe, expect, test } from 'vitest';
import { BotStage, WrittenSource } from '@parley/testing/bot/stage.ts';

describe('BOTSDK-5, BOTSDK-6, BOTSDK-7, BOTSDK-8: a streamed answer', () => {
  test('is shown while it is written, and no piece ends within a character', async () => {
    await using stage = await BotStage.start();
    const bot = stage.bot();
    const source = new WrittenSource();
    bot.on('message', (ctx) => ctx.stream(source, { usage: () => ({ input_tokens: 3, output_tokens: 4 }) }));
    await bot.start({ signals: false });
    const asked = await stage.say('go');
    // The two halves of a character arrive separately, in different batches.
    source.write('a\uD83D');
    await stage.socket.event('messageDelta', ({ delta }) => delta === 'a');
    source.write('\uDE00b');
    await stage.socket.event('messageDelta', ({ delta }) => delta === '😀b');
    source.write('\uD83D');
    source.end();
    const answer = await stage.answerTo(asked);
    expect(answer).toMatchObject({
      content: 'a😀b\uFFFD',
      status: 'complete',
      usage: { input_tokens: 3, output_tokens: 4 },
    });
    expect(answer.client_msg_id).toBe(`re:${asked.id}`);
  });

  test('that fails ends as failed with the text so far, and the bot continues', async () => {
    await using stage = await BotStage.start();
    const bot = stage.bot();
    const sources = [new WrittenSource(), new WrittenSource()];
    bot.on('message', (ctx) => ctx.stream(sources[Number(ctx.text)] ?? ['all is ', 'well']));
    await bot.start({ signals: false });
    sources[0]?.write('as far as');
    sources[0]?.fail(new Error('the model broke'));
    sources[1]?.fail(new Error('nothing came'));
    expect(await stage.answerTo(await stage.say('0'))).toMatchObject({ content: 'as far as', status: 'failed' });
    const empty = await stage.answerTo(await stage.say('1'));
    expect(empty).toMatchObject({ content: expect.stringMatching(/Something went wrong/), status: 'failed' });
    expect((await stage.answerTo(await stage.say('2'))).content).toBe('all is well');
    expect(stage.lines.map((line) => line.split('\n')[0])).toEqual(['Error: the model broke', 'Error: nothing came']);
  });

  test('that is deleted while it streams is stopped', async () => {
    await using stage = await BotStage.start();
    const bot = stage.bot();
    const source = new WrittenSource();
    const stopped = Promise.withResolvers<unknown>();
    bot.on('message', (ctx) => {
      ctx.signal.addEventListener('abort', () => stopped.resolve(ctx.signal.reason));
      return ctx.stream(source);
    });
    await bot.start({ signals: false });
    const asked = await stage.say('go');
    source.write('text');
    const { id } = await stage.placeholderOf(asked);
    await stage.alice.api.deleteMessages({ message_ids: [id] });
    expect(await stopped.promise).toMatchObject({ name: 'AbortError', why: 'over' });
    await source.left.promise;
    expect((await stage.history()).map(({ content }) => content)).toEqual(['go']);
    expect(stage.lines).toEqual([]);
  });

  test('continues after a crash of the service from the text that survived', async () => {
    await using stage = await BotStage.start({ expectsErrors: true });
    const bot = stage.bot();
    const source = new WrittenSource();
    bot.on('message', (ctx) => ctx.stream(source));
    await bot.start({ signals: false });
    const asked = await stage.say('go');
    source.write('first ');
    await stage.socket.event('messageDelta', ({ delta }) => delta === 'first ');
    source.write('lost 😀 ');
    await stage.socket.event('messageDelta', ({ delta }) => delta === 'lost 😀 ');
    await stage.world.crash();
    const socket = await stage.alice.socket();
    source.write('and on');
    // The text arrives again while the reply still streams, not only at its end.
    await socket.event('messageNew', ({ reply_to_id, content }) => reply_to_id === asked.id && content.endsWith('on'));
    source.end();
    expect(await stage.answerTo(asked, socket)).toMatchObject({ content: 'first lost 😀 and on', status: 'complete' });
    expect(stage.lines).toEqual([]);
  });

  test("ends at the service's limit", async () => {
    await using stage = await BotStage.start();
    const bot = stage.bot();
    let pieces = 0;
    bot.on('message', (ctx) =>
      ctx.stream(
        (function* () {
          for (; ; pieces += 1) yield 'x'.repeat(60_000);
        })(),
      ),
    );
    await bot.start({ signals: false });
    const answer = await stage.answerTo(await stage.say('go'));
    expect([answer.content.length, answer.status, pieces]).toEqual([256 * 1024, 'complete', 4]);
  });
});

describe('BOTSDK-9: stopping an answer', () => {
  async function written() {
    const stage = await BotStage.start();
    const { world, alice, account } = stage;
    const { bob, eve } = await world.people('bob', 'eve');
    const group = await world.group(alice, bob, eve);
    await alice.api.addGroupAgent({ chat_id: group.id, agent_username: account.username });
    const bot = stage.bot();
    const source = new WrittenSource();
    bot.on('message', (ctx) => ctx.stream(source));
    await bot.start({ signals: false });
    const asked = await stage.say(`@${account.username} go`, group.id, bob);
    source.write('some text');
    await stage.socket.event('messageDelta', ({ delta }) => delta === 'some text');
    const { id } = await stage.placeholderOf(asked);
    return { stage, source, asked, people: { alice, bob, eve }, chat_id: group.id, message_id: id };
  }

  test.each(['bob', 'alice'] as const)('%s can stop it: the asker, and the owner', async (who) => {
    const { stage, source, asked, people, chat_id, message_id } = await written();
    await using _ = stage;
    await people[who].api.stopRun({ chat_id, message_id });
    expect(await stage.answerTo(asked)).toMatchObject({ content: 'some text', status: 'cancelled' });
    await source.left.promise;
    expect(stage.lines).toEqual([]);
  });

  test('another member gets an alert, and the answer continues', async () => {
    const { stage, source, asked, people, chat_id } = await written();
    await using _ = stage;
    const eve = await people.eve.socket();
    await people.eve.api.stopRun({ chat_id });
    expect(await eve.event('alert')).toMatchObject({ level: 'error', from: { username: stage.account.username } });
    // From here on appends answer `cancel_requested`.
    source.write(' and');
    await stage.socket.event('messageDelta', ({ delta }) => delta === ' and');
    source.write(' more');
    await stage.socket.event('messageDelta', ({ delta }) => delta === ' more');
    source.end();
    expect(await stage.answerTo(asked)).toMatchObject({ content: 'some text and more', status: 'complete' });
  });

  test('a stop without a message ends all that the asker started, including waiting turns; an empty answer disappears', async () => {
    await using stage = await BotStage.start();
    const bot = stage.bot();
    const source = new WrittenSource();
    const begun: string[] = [];
    bot.on('message', (ctx) => {
      begun.push(ctx.text);
      return ctx.text === 'last' ? ctx.reply('here') : ctx.stream(source);
    });
    await bot.start({ signals: false });
    const asked = await stage.say('first');
    await stage.say('second');
    const { id } = await stage.placeholderOf(asked);
    await stage.alice.api.stopRun({ chat_id: stage.chatId });
    await stage.socket.event('messageDeleted', ({ ids }) => ids.includes(id));
    expect((await stage.answerTo(await stage.say('last'))).content).toBe('here');
    expect(begun).toEqual(['first', 'last']);
    expect(stage.lines).toEqual([]);
  });
});
