import { BotStage } from '@parley/testing/bot/stage.ts';
import { describe, expect, test } from 'vitest';
import type { BotContext, TextSource } from './bot.ts';

/** Starts a bot that passes each message to the handler named by its text; `errors` are those that `catch` received. */
async function answering(handlers: Record<string, (ctx: BotContext) => unknown>) {
  const stage = await BotStage.start();
  const bot = stage.bot();
  const errors: unknown[] = [];
  bot.on('message', (ctx) => handlers[ctx.text]?.(ctx));
  bot.catch((error) => void errors.push(error));
  await bot.start({ signals: false });
  return { stage, errors };
}

/** A value as plain JavaScript could pass it, unchecked by types. */
const untyped = (value: unknown) => value as never;

describe('BOTSDK-23: the usage of an answer', () => {
  const usage = { input_tokens: 3, output_tokens: 4 };

  test('can be a value, a promise, or a function that returns a promise', async () => {
    const { stage, errors } = await answering({
      value: (ctx) => ctx.reply('text', { usage }),
      promise: (ctx) => ctx.stream(['text'], { usage: Promise.resolve(usage) }),
      later: (ctx) => ctx.stream(['text'], { usage: async () => usage }),
    });
    await using _ = stage;
    for (const name of ['value', 'promise', 'later']) {
      expect(await stage.answerTo(await stage.say(name))).toMatchObject({ content: 'text', status: 'complete', usage });
    }
    expect(errors).toEqual([]);
  });

  test('that is invalid or fails is left out and reported, and the answer completes', async () => {
    const { stage, errors } = await answering({
      refused: (ctx) => ctx.reply('text', { usage: untyped({ input_tokens: 'many' }) }),
      rejected: (ctx) => ctx.reply('text', { usage: Promise.reject(new Error('no usage')) }),
      thrown: (ctx) =>
        ctx.reply('text', {
          usage: () => {
            throw new Error('no usage either');
          },
        }),
    });
    await using _ = stage;
    for (const name of ['refused', 'rejected', 'thrown']) {
      const answer = await stage.answerTo(await stage.say(name));
      expect(answer).toMatchObject({ content: 'text', status: 'complete' });
      expect(answer.usage).toBeUndefined();
    }
    await expect.poll(() => errors).toHaveLength(3);
    expect(errors).toMatchObject([
      { code: 'invalid_argument' },
      { message: 'no usage' },
      { message: 'no usage either' },
    ]);
  });
});

test.each([
  ['of an unknown kind', { kind: 'nothing' }, 'invalid_argument'],
  ['of a missing file', { id: '01900000-0000-7000-8000-000000000000', kind: 'file' }, 'not_found'],
])('BOTSDK-23: an attachment %s is left out and reported, and the reply completes', async (_what, attachment, code) => {
  const { stage, errors } = await answering({
    go: (ctx) => ctx.reply('text', { attachments: [untyped(attachment)] }),
  });
  await using _ = stage;
  expect(await stage.answerTo(await stage.say('go'))).toMatchObject({ content: 'text', status: 'complete' });
  await expect.poll(() => errors).toMatchObject([{ code }]);
});

test('BOTSDK-24: an answer that is not made of strings throws a TypeError that names the type, and ends as failed', async () => {
  const { stage, errors } = await answering({
    undefined: (ctx) => ctx.reply(untyped(undefined)),
    object: (ctx) => ctx.stream(untyped([{ text: 'a' }])),
    bytes: (ctx) => ctx.stream(untyped(['as far as ', new Uint8Array(1)])),
    promise: (ctx) => ctx.stream(untyped(Promise.resolve('text'))),
    text: (ctx) => ctx.stream('a text alone'),
  });
  await using _ = stage;
  const failed = { content: expect.stringMatching(/Something went wrong/), status: 'failed' };
  const answer = async (name: string) => stage.answerTo(await stage.say(name));
  expect(await answer('undefined')).toMatchObject(failed);
  expect(await answer('object')).toMatchObject(failed);
  expect(await answer('bytes')).toMatchObject({ content: 'as far as ', status: 'failed' });
  expect(await answer('promise')).toMatchObject(failed);
  expect(await answer('text')).toMatchObject({ content: 'a text alone', status: 'complete' });
  expect(errors.map((error) => error instanceof TypeError && error.message)).toEqual([
    'an answer must be made of strings, not undefined',
    'an answer must be made of strings, not Object',
    'an answer must be made of strings, not Uint8Array',
    'an answer must be an async generator, a stream or a list of strings, not Promise',
  ]);
});

test('BOTSDK-33, BOTSDK-35: a stream of a model is streamed, and one of another kind, or without text, never looks complete', async () => {
  await using stage = await BotStage.start();
  const bot = stage.bot();
  const errors: unknown[] = [];
  const chunk = (content: string) => ({ type: 'ai', content, response_metadata: {} });
  const delta = (text: string) => ({ type: 'text-delta', text });
  let reads = 0;
  const sources: Record<string, TextSource> = {
    chunks: [chunk('Sun'), chunk('ny')],
    // `streamText` makes another stream each time.
    result: {
      get fullStream() {
        reads += 1;
        return [delta('Sunny')];
      },
    },
    unknown: [delta('so far'), { type: 'mystery' }],
    silent: [{ type: 'start' }, { type: 'finish' }],
  };
  bot.on('message', (ctx) => ctx.stream(sources[ctx.text] ?? []));
  bot.catch((error) => void errors.push(error));
  await bot.start({ signals: false });
  const answer = async (name: string) => stage.answerTo(await stage.say(name));
  expect(await answer('chunks')).toMatchObject({ content: 'Sunny', status: 'complete' });
  expect(await answer('result')).toMatchObject({ content: 'Sunny', status: 'complete' });
  expect(reads).toBe(1);
  expect(await answer('unknown')).toMatchObject({ content: 'so far', status: 'failed' });
  expect(await answer('silent')).toMatchObject({
    content: expect.stringMatching(/Something went wrong/),
    status: 'failed',
  });
  expect(errors).toEqual([
    new TypeError('an answer must be made of strings, not Object of type "mystery"'),
    new Error('the stream of the model had no text'),
  ]);
});
