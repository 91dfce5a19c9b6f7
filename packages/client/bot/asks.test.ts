import type { Message } from '@parley/protocol';
import { ManualClock } from '@parley/testing/clocks/manual-clock.ts';
import { BotStage } from '@parley/testing/bot/stage.ts';
import { expect, test } from 'vitest';
import { systemClock } from '../environment.ts';
import type { Bot, BotContext } from './bot.ts';

const deploy = {
  text: 'Deploy web-7?',
  options: [
    { id: 'deploy', label: 'Deploy' },
    { id: 'cancel', label: 'Cancel' },
  ],
} as const;

/** A daemon whose handler asks, and answers with what became of the question; `runs` notes where it comes by. */
async function daemon(stage: BotStage, runs: string[], name = 'bot', more: (ctx: BotContext) => unknown = () => {}) {
  const bot = stage.bot();
  bot.on('message', async (ctx) => {
    if (ctx.text !== 'deploy') return ctx.reply(`You said: ${ctx.text}`);
    runs.push(`${name} asks`);
    const { state, option } = await ctx.ask(deploy);
    runs.push(`${name} goes on`);
    await more(ctx);
    return ctx.reply(option === 'deploy' ? 'Deployed.' : `Not deployed: ${option ?? state}.`);
  });
  await bot.start({ signals: false });
  return bot;
}

/** The question of the bot about a message. */
const questionOf = (stage: BotStage, { id }: Pick<Message, 'id'>): Promise<Message> =>
  stage.socket.event('messageNew', ({ reply_to_id, decision }) => reply_to_id === id && decision !== undefined);

/** What the bot has written, but for questions. */
const written = async (stage: BotStage): Promise<string[]> =>
  (await stage.history())
    .filter(({ sender, decision }) => sender.username === stage.account.username && !decision)
    .map(({ content }) => content);

/** Ends the daemon as a kill does: its handlers never go on, and its calls reach the service no more. */
async function kill(bot: Bot): Promise<void> {
  bot.client.close();
  await Promise.resolve();
}

test('BOTSDK-37: a question is asked in the timeline of the message, and the handler goes on with the answer', async () => {
  await using stage = await BotStage.start();
  const runs: string[] = [];
  await daemon(stage, runs);
  const asked = await stage.say('deploy');
  const question = await questionOf(stage, asked);
  expect(question.decision).toMatchObject({ state: 'open', options: deploy.options, deciders: 'anyone' });
  expect(question.content).toContain('Deploy web-7?');
  // Meanwhile the timeline is free for others.
  expect((await stage.answerTo(await stage.say('hello'))).content).toBe('You said: hello');
  await stage.alice.api.decide({ decision_id: question.id, option: 'deploy' });
  expect((await stage.answerTo(asked)).content).toBe('Deployed.');
  expect(runs).toEqual(['bot asks', 'bot goes on']);
  expect(stage.lines).toEqual([]);
});

test('BOTSDK-37: the answer has the values of the form, of their types; declining has none', async () => {
  await using stage = await BotStage.start();
  const bot = stage.bot();
  bot.on('message', async (ctx) => {
    const answer = await ctx.ask({
      text: 'How many?',
      form: [
        { key: 'count', label: 'Count', type: 'number', required: true },
        { key: 'gift', label: 'A gift', type: 'boolean' },
      ],
      deciders: [ctx.from.username],
    });
    if (answer.option !== 'submit') return ctx.reply(`${answer.option} ${JSON.stringify(answer.fields)}`);
    const { by, fields } = answer;
    const doubled: number = (fields.count ?? 0) * 2;
    return ctx.reply(`${by}: ${doubled}, ${fields.gift}`);
  });
  await bot.start({ signals: false });
  const { alice } = stage;
  const first = await stage.say('order');
  const { id } = await questionOf(stage, first);
  await alice.api.decide({ decision_id: id, option: 'submit', fields: { count: 3, gift: true } });
  expect((await stage.answerTo(first)).content).toBe('alice: 6, true');
  const second = await stage.say('order');
  const { id: declined } = await questionOf(stage, second);
  await alice.api.decide({ decision_id: declined, option: 'decline' });
  expect((await stage.answerTo(second)).content).toBe('decline {}');
  expect(stage.lines).toEqual([]);
});

test('BOTSDK-37: a question that is withdrawn or deleted has no option', async () => {
  await using stage = await BotStage.start();
  await daemon(stage, []);
  const first = await stage.say('deploy');
  await stage.alice.api.withdrawDecision({ decision_id: (await questionOf(stage, first)).id });
  expect((await stage.answerTo(first)).content).toBe('Not deployed: withdrawn.');
  const second = await stage.say('deploy');
  await stage.alice.api.deleteMessages({ message_ids: [(await questionOf(stage, second)).id] });
  expect((await stage.answerTo(second)).content).toBe('Not deployed: withdrawn.');
  expect(stage.lines).toEqual([]);
});

test('BOTSDK-37: an answer comes a day later, and a question expires; no timer is held meanwhile', async () => {
  const clock = new ManualClock();
  await using stage = await BotStage.start({ clock });
  const timers = new Set<object>();
  const bot = stage.bot({
    clock: {
      ...systemClock,
      now: () => clock.now(),
      setTimer(callback, ms) {
        const timer = systemClock.setTimer(() => {
          timers.delete(timer);
          callback();
        }, ms);
        timers.add(timer);
        return {
          cancel: () => {
            timers.delete(timer);
            timer.cancel();
          },
        };
      },
    },
  });
  bot.on('message', async (ctx) => {
    const { state, option } = await ctx.ask({ ...deploy, expires_in: 172_800 });
    return ctx.reply(`${state} ${option}`);
  });
  await bot.start({ signals: false });
  const before = timers.size;
  const first = await stage.say('deploy');
  const { id } = await questionOf(stage, first);
  const second = await stage.say('deploy');
  await questionOf(stage, second);
  expect(timers.size).toBeLessThanOrEqual(before);
  clock.step(86_400_000);
  await stage.alice.api.decide({ decision_id: id, option: 'cancel' });
  expect((await stage.answerTo(first)).content).toBe('decided cancel');
  clock.step(86_400_000);
  await clock.advance(2_000);
  expect((await stage.answerTo(second)).content).toBe('expired null');
  expect(stage.lines).toEqual([]);
});

test.each(['before', 'while'])(
  'BOTSDK-38: a bot that was killed goes on once with an answer that was given %s it runs again',
  async (when) => {
    await using stage = await BotStage.start();
    const runs: string[] = [];
    const first = await daemon(stage, runs, 'first');
    const asked = await stage.say('deploy');
    const { id } = await questionOf(stage, asked);
    await kill(first);
    const decide = () => stage.alice.api.decide({ decision_id: id, option: 'deploy' });
    if (when === 'before') await decide();
    await daemon(stage, runs, 'second');
    if (when === 'while') await decide();
    expect((await stage.answerTo(asked)).content).toBe('Deployed.');
    // Nothing is left to go on with.
    await daemon(stage, runs, 'third');
    await stage.answerTo(await stage.say('hello'));
    expect(runs).toEqual(['first asks', 'second asks', 'second goes on']);
    expect(await written(stage)).toEqual(['Deployed.', 'You said: hello']);
    expect((await stage.history()).filter(({ decision }) => decision)).toHaveLength(1);
    expect(stage.lines).toEqual([]);
  },
);

test('BOTSDK-38: a handler that runs again gets its earlier answers and questions, and writes nothing twice', async () => {
  await using stage = await BotStage.start();
  const runs: string[] = [];
  const start = async (name: string) => {
    const bot = stage.bot();
    bot.on('message', async (ctx) => {
      await ctx.part({ id: 'look', type: 'notice', text: 'looking' });
      const earlier = await ctx.reply('I look.');
      const { option } = await ctx.ask({ ...deploy, key: 'first' });
      const later = await ctx.reply(`First ${option}.`);
      const { option: second } = await ctx.ask(deploy);
      runs.push(`${name}: ${earlier?.content} ${later?.content}`);
      await ctx.part({ id: 'done', type: 'notice', text: 'done' });
      await ctx.reply(`Then ${second}.`);
      await ctx.reply('That is all.');
    });
    await bot.start({ signals: false });
    return bot;
  };
  const first = await start('first');
  const asked = await stage.say('deploy');
  const { id } = await questionOf(stage, asked);
  await stage.alice.api.decide({ decision_id: id, option: 'deploy' });
  const second = await stage.socket.event('messageNew', ({ decision, id: other }) => !!decision && other !== id);
  await kill(first);
  await stage.alice.api.decide({ decision_id: second.id, option: 'cancel' });
  await start('second');
  await stage.socket.event('messageComplete', ({ content }) => content === 'That is all.');
  expect(await written(stage)).toEqual(['I look.', 'First deploy.', 'Then cancel.', 'That is all.']);
  expect(runs).toEqual(['second: I look. First deploy.']);
  const history = await stage.history();
  expect(history.filter(({ decision }) => decision)).toHaveLength(2);
  expect(history.flatMap(({ parts = [] }) => parts.map(({ id: part }) => part))).toEqual(['look', 'done']);
  expect(stage.lines).toEqual([]);
});

test('BOTSDK-38: a bot that was stopped or cut off goes on with an answer that was given meanwhile', async () => {
  await using stage = await BotStage.start();
  const runs: string[] = [];
  const stopped = await daemon(stage, runs, 'stopped');
  const asked = await stage.say('deploy');
  const { id } = await questionOf(stage, asked);
  await stopped.stop();
  expect(await written(stage)).toEqual([]);
  await stage.alice.api.decide({ decision_id: id, option: 'deploy' });
  const next = stage.bot({ isBehindProxy: true });
  next.on('message', async (ctx) => {
    const { option } = await ctx.ask(deploy);
    runs.push(`next goes on`);
    return ctx.reply(`next: ${option}`);
  });
  await next.start({ signals: false });
  expect((await stage.answerTo(asked)).content).toBe('next: deploy');

  const again = await stage.say('again');
  const question = await questionOf(stage, again);
  stage.proxy.takeDown();
  await stage.alice.api.decide({ decision_id: question.id, option: 'cancel' });
  stage.proxy.heal();
  expect((await stage.answerTo(again)).content).toBe('next: cancel');
  expect(runs).toEqual(['stopped asks', 'next goes on', 'next goes on']);
  expect(stage.lines).toEqual([]);
});

test('BOTSDK-39: of two daemons one goes on, whether both wait or none does', async () => {
  await using stage = await BotStage.start();
  const runs: string[] = [];
  const both = await Promise.all([daemon(stage, runs, 'a'), daemon(stage, runs, 'b')]);
  const asked = await stage.say('deploy');
  const { id } = await questionOf(stage, asked);
  await expect.poll(() => runs.length).toBe(2);
  await stage.alice.api.decide({ decision_id: id, option: 'deploy' });
  expect((await stage.answerTo(asked)).content).toBe('Deployed.');
  expect(runs.filter((run) => run.endsWith('goes on'))).toHaveLength(1);

  const second = await stage.say('deploy');
  const question = await questionOf(stage, second);
  await expect.poll(() => runs.length).toBe(5);
  for (const bot of both) await kill(bot);
  await stage.alice.api.decide({ decision_id: question.id, option: 'cancel' });
  await Promise.all([daemon(stage, runs, 'c'), daemon(stage, runs, 'd')]);
  expect((await stage.answerTo(second)).content).toBe('Not deployed: cancel.');
  await stage.answerTo(await stage.say('hello'));
  expect(runs.filter((run) => run.endsWith('goes on'))).toHaveLength(2);
  expect(await written(stage)).toEqual(['Deployed.', 'Not deployed: cancel.', 'You said: hello']);
  expect(stage.lines).toEqual([]);
});

test('BOTSDK-39: while the handler goes on its answer is open, and nothing is left if it writes none', async () => {
  await using stage = await BotStage.start();
  const bot = stage.bot();
  const going = Promise.withResolvers<void>();
  const decided: string[] = [];
  bot.on('message', async (ctx) => {
    const { option } = await ctx.ask(deploy);
    decided.push(String(option));
    await going.promise;
  });
  await bot.start({ signals: false });
  const asked = await stage.say('deploy');
  const { id } = await questionOf(stage, asked);
  await stage.alice.api.decide({ decision_id: id, option: 'deploy' });
  const open = await stage.socket.event('messageNew', ({ status }) => status === 'streaming');
  expect(open.reply_to_id).toBe(asked.id);
  going.resolve();
  await stage.socket.event('messageDeleted', ({ ids }) => ids.includes(open.id));
  await bot.stop();
  // Taken up is taken up: the next daemon does not go on again.
  await daemon(stage, decided, 'next');
  await stage.answerTo(await stage.say('hello'));
  expect(decided).toEqual(['deploy']);
  expect(stage.lines).toEqual([]);
});

test('BOTSDK-39: a daemon that is killed after it has gone on leaves a failed answer, and nobody goes on again', async () => {
  const clock = new ManualClock();
  await using stage = await BotStage.start({ clock });
  const runs: string[] = [];
  const first = await daemon(stage, runs, 'first', () => new Promise(() => {}));
  const asked = await stage.say('deploy');
  const { id } = await questionOf(stage, asked);
  await stage.alice.api.decide({ decision_id: id, option: 'deploy' });
  await stage.socket.event('messageNew', ({ status }) => status === 'streaming');
  await clock.advance(1_000);
  await kill(first);
  await daemon(stage, runs, 'second');
  await clock.advance(62_000);
  await stage.world.settle();
  const answers = (await stage.history()).filter(({ reply_to_id, decision }) => reply_to_id === asked.id && !decision);
  expect(answers).toMatchObject([{ status: 'failed' }]);
  expect(runs).toEqual(['first asks', 'first goes on']);
});

test('BOTSDK-40: a handler that runs again and asks something else does not get the answer', async () => {
  await using stage = await BotStage.start();
  const got: unknown[] = [];
  const start = async (what: string | null) => {
    const bot = stage.bot();
    bot.on('message', async (ctx) => {
      if (what !== null) got.push((await ctx.ask({ ...deploy, text: `Delete ${what}?` })).option);
    });
    await bot.start({ signals: false });
    return bot;
  };
  for (const [what, other] of [
    ['the logs', 'everything'],
    ['the logs', null],
  ] as const) {
    const first = await start(what);
    const asked = await stage.say('clean up');
    const { id } = await questionOf(stage, asked);
    await kill(first);
    await stage.alice.api.decide({ decision_id: id, option: 'deploy' });
    const second = await start(other);
    expect(await stage.answerTo(asked)).toMatchObject({ status: 'failed', content: /wrong/ });
    await second.stop();
    expect(stage.lines.splice(0)).toEqual([expect.stringContaining(`does not ask question ${id} again`)]);
  }
  expect(got).toEqual([]);
});

test('BOTSDK-40: of two daemons that ask different things the first asks, and only it goes on', async () => {
  await using stage = await BotStage.start();
  const got: string[] = [];
  for (const name of ['a', 'b']) {
    const bot = stage.bot();
    bot.on('message', async (ctx) => {
      await ctx.ask({ ...deploy, text: `Is it ${name}?` }).finally(() => got.push(name));
      await ctx.reply(name);
    });
    await bot.start({ signals: false });
  }
  const asked = await stage.say('who?');
  const { id, content } = await questionOf(stage, asked);
  await expect.poll(() => got).toHaveLength(1);
  await stage.alice.api.decide({ decision_id: id, option: 'deploy' });
  expect(content).toContain(`Is it ${(await stage.answerTo(asked)).content}?`);
  expect(stage.lines).toEqual([]);
});

test('BOTSDK-41: questions come one after another, not within a streamed answer, and keys are unique', async () => {
  await using stage = await BotStage.start();
  const bot = stage.bot();
  const errors: string[] = [];
  const note = (error: unknown): void => void errors.push(String(error));
  bot.on('message', async (ctx) => {
    await ctx.ask({ ...deploy, key: '2' }).catch(note);
    const first = ctx.ask({ ...deploy, key: 'again' });
    await ctx.ask(deploy).catch(note);
    await first;
    await ctx.ask({ ...deploy, key: 'again' }).catch(note);
    await ctx.ask({ text: 'Nothing to choose' }).catch(note);
    await ctx.stream(
      (async function* () {
        yield 'so far';
        await ctx.ask(deploy).catch(note);
      })(),
    );
  });
  await bot.start({ signals: false });
  const asked = await stage.say('deploy');
  const { id } = await questionOf(stage, asked);
  await stage.alice.api.decide({ decision_id: id, option: 'deploy' });
  expect((await stage.answerTo(asked)).content).toBe('so far');
  expect(errors).toEqual([
    expect.stringMatching(/^TypeError: the key of a question/),
    expect.stringMatching(/one after another/),
    expect.stringMatching(/already asked/),
    expect.stringMatching(/options/),
    expect.stringMatching(/being streamed/),
  ]);
});

test('BOTSDK-42: a press may ask; a bot that was killed meanwhile says that it cannot go on', async () => {
  await using stage = await BotStage.start();
  const start = async () => {
    const bot = stage.bot();
    bot.on('message', (ctx) => ctx.reply('{% button action="deploy:1" /%} {% button action="deploy:2" /%}'));
    bot.action(/^deploy:/, async (ctx) => {
      const { option } = await ctx.ask({ ...deploy, deciders: [ctx.from.username] });
      await ctx.reply(`${ctx.from.username}: ${option}`);
    });
    await bot.start({ signals: false });
    return bot;
  };
  const first = await start();
  const { alice, chatId: chat_id } = stage;
  const { id: message_id } = await stage.answerTo(await stage.say('shop'));
  const press = async (action: string, before = '') => {
    await alice.api.sendComponentAction({ chat_id, message_id, action });
    const { id } = await stage.socket.event('messageNew', ({ id, decision }) => !!decision && id !== before);
    return id;
  };
  const question = await press('deploy:1');
  await alice.api.decide({ decision_id: question, option: 'deploy' });
  expect((await stage.answerTo({ id: message_id })).content).toBe('alice: deploy');
  const second = await press('deploy:2', question);
  await kill(first);
  await alice.api.decide({ decision_id: second, option: 'deploy' });
  await start();
  expect(await stage.answerTo({ id: second })).toMatchObject({ status: 'failed', content: /begin again/ });
  expect(stage.lines).toEqual([]);
});

test('BOTSDK-42: after a private question of a press the word goes to the timeline, and quotes nothing', async () => {
  await using stage = await BotStage.start();
  const { world, alice, account } = stage;
  const bob = await world.member('bob');
  const { id: chat_id } = await world.group(alice, bob);
  await alice.api.addGroupAgent({ chat_id, agent_username: account.username });
  const start = async () => {
    const bot = stage.bot();
    bot.on('message', (ctx) => ctx.reply('{% button action="deploy" /%}'));
    bot.action('deploy', (ctx) => ctx.ask({ ...deploy, deciders: ['alice'], private: true }));
    await bot.start({ signals: false });
    return bot;
  };
  const first = await start();
  const { id: message_id } = await stage.answerTo(await stage.say(`@${account.username} shop`, chat_id));
  await alice.api.sendComponentAction({ chat_id, message_id, action: 'deploy' });
  const { id: decision_id } = await stage.socket.event('messageNew', ({ decision }) => decision !== undefined);
  await kill(first);
  await alice.api.decide({ decision_id, option: 'deploy' });
  await start();
  const word = await stage.socket.event('messageComplete', ({ id }) => id !== message_id);
  expect(word).toMatchObject({ status: 'failed', reply_to_id: null, content: /begin again/ });
  expect(stage.lines).toEqual([]);
});

test('BOTSDK-29, BOTSDK-37: the session is stored when a question is asked, and read again with the answer', async () => {
  await using stage = await BotStage.start();
  const bot = stage.bot({ session: { initial: () => ({ words: [] as string[] }) } });
  bot.on('message', async (ctx) => {
    const session = ctx.session as { words: string[] };
    session.words.push(ctx.text);
    if (ctx.text === 'ask') {
      await ctx.ask(deploy);
      (ctx.session as { words: string[] }).words.push('answer');
    }
    await ctx.reply((ctx.session as { words: string[] }).words.join(' '));
  });
  await bot.start({ signals: false });
  const asked = await stage.say('ask');
  const { id } = await questionOf(stage, asked);
  expect((await stage.answerTo(await stage.say('meanwhile'))).content).toBe('ask meanwhile');
  await stage.alice.api.decide({ decision_id: id, option: 'deploy' });
  expect((await stage.answerTo(asked)).content).toBe('ask meanwhile answer');
  expect(stage.lines).toEqual([]);
});

test('BOTSDK-37: a private question is for its deciders, and an agent that asks them has no other', async () => {
  await using stage = await BotStage.start();
  const { world, alice, account } = stage;
  const bob = await world.member('bob');
  const { id: chat_id } = await world.group(alice, bob);
  await alice.api.addGroupAgent({ chat_id, agent_username: account.username });
  const bot = stage.bot();
  bot.on('message', async (ctx) => {
    const { option, by } = await ctx.ask({ ...deploy, deciders: [ctx.from.username], private: true });
    await ctx.reply(`${by}: ${option}`);
  });
  await bot.start({ signals: false });
  const asked = await stage.say(`@${account.username} deploy`, chat_id);
  const { id: decision_id } = await questionOf(stage, asked);
  await expect(bob.api.decide({ decision_id, option: 'deploy' })).rejects.toMatchObject({ code: 'not_found' });
  await alice.api.decide({ decision_id, option: 'deploy' });
  expect((await stage.answerTo(asked)).content).toBe('alice: deploy');
  expect(stage.lines).toEqual([]);
});
