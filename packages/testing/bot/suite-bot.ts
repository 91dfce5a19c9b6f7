// The bot of the suite that every SDK passes (suite.test.ts), in a process of its own: it reports what happens, and takes
// commands, as lines of JSON. sdk/python/tests/suite_bot.py is the same bot in Python.
import { createInterface } from 'node:readline';
import { type BotContext, createBot, type Question } from '@parley/client/bot';
import { systemClock } from '../../client/environment.ts';
import type { SuiteOptions } from './suite-bot-process.ts';
import { WrittenSource } from './written-source.ts';

const options = JSON.parse(process.argv[2] ?? '{}') as SuiteOptions; // written by SuiteBotProcess
const usage = { input_tokens: 3, output_tokens: 4 };

const report = (event: string, details: Record<string, unknown> = {}): void =>
  void process.stdout.write(`${JSON.stringify({ event, ...details })}\n`);

/** Texts that the suite writes. */
const sources = new Map<string, WrittenSource>();
function sourceOf(name: string): WrittenSource {
  const source = sources.get(name) ?? new WrittenSource();
  sources.set(name, source);
  return source;
}
async function* read(name: string) {
  report('reading', { source: name });
  yield* sourceOf(name);
}

/** The time that other daemons have passes when the suite says so. */
const held: (() => void)[] = [];
const bot = createBot({
  turnsAtOnce: options.turnsAtOnce ?? 50,
  turnsWaiting: options.turnsWaiting ?? 1_000,
  log: (line) => report('log', { line }),
  random: () => 0,
  clock: {
    now: () => systemClock.now() + (options.aheadS ?? 0) * 1_000,
    monotonic: () => systemClock.monotonic(),
    setTimer(callback, ms) {
      if (ms !== 5_000 || !options.holdsTime) return systemClock.setTimer(callback, ms);
      held.push(callback);
      return { cancel: () => void held.splice(held.indexOf(callback), 1) };
    },
  },
});

bot.use(async (ctx, next) => {
  ctx.state.set('sender', ctx.message.sender.username);
  await next();
  report('left', { text: ctx.text });
});
bot.use(async (ctx, next) => void (await (ctx.text === 'skip' ? ctx.reply('not you') : next())));

bot.on('any', ({ text, isDispatched }) => report('any', { text, isDispatched }));

bot.on('message', async (ctx) => {
  report('message', { text: ctx.text });
  const [word = '', ...others] = ctx.text.split(' ');
  const rest = others.join(' ');
  switch (word) {
    case 'stream':
      return stream(ctx, rest);
    case 'flood':
      return ctx.stream(
        (function* () {
          for (;;) yield 'x'.repeat(60_000);
        })(),
      );
    case 'around':
      report('around', { history: (await ctx.history()).map(({ content }) => content), chat: await ctx.chat });
      await ctx.reply('here');
      await ctx.react('👍');
      return ctx.react('👍');
    case 'twice':
      await ctx.reply(`first, for ${(await ctx.config()).user}`);
      return ctx.reply('second');
    case 'settings': {
      const { user, config, secrets } = await ctx.config();
      return ctx.reply(`${user} ${config['tone']} ${secrets['api_key']?.length}`);
    }
    case 'raise':
      throw new Error(rest);
    case 'usage':
      // The service refuses a number that is a text.
      return ctx.reply('text', { usage: rest === 'good' ? usage : ({ input_tokens: 'many' } as never) });
    case 'attach':
      return ctx.reply('text', { attachments: [JSON.parse(rest)] });
    case 'untyped':
      return ctx.stream(['as far as ', new Uint8Array(1) as never]); // as plain JavaScript could
    case 'shop':
      return ctx.reply(rest);
    case 'parts':
      return parts(ctx);
    case 'ask':
      return ask(ctx, JSON.parse(rest)); // the suite's question
    case 'misuse':
      return misuse(ctx);
    default:
      return ctx.reply(`${ctx.text}, ${String(ctx.state.get('sender'))}`);
  }
});

async function stream(ctx: BotContext, name: string): Promise<void> {
  ctx.signal.addEventListener('abort', () => report('stopped', { source: name }));
  const message = await ctx.stream(read(name), { usage });
  report('answered', { text: message?.content });
}

/** Answers, asks, and answers again. A question without a text has another one in each process. */
async function ask(ctx: BotContext, { first, ...question }: Partial<Question> & { first?: string }): Promise<void> {
  report('asking');
  if (first !== undefined) {
    await ctx.part({ id: 'look', type: 'notice', text: 'looking' });
    const earlier = await ctx.stream([first]);
    report('first', { text: earlier?.content });
  }
  const { state, option, fields, by } = await ctx.ask({ text: `Is it ${process.pid}?`, ...question });
  report('going on');
  if (option === 'nothing') return;
  await ctx.reply([state, option, JSON.stringify(fields), by].join(' '));
  await ctx.reply('done');
}

async function misuse(ctx: BotContext): Promise<void> {
  const question = { text: 'Sure?', options: [{ id: 'yes', label: 'Yes' }] };
  const refused = async (work: Promise<unknown>): Promise<void> =>
    work.then(
      () => {},
      (error: unknown) => report('refused', { error: String(error) }),
    );
  await refused(ctx.ask({ ...question, key: '2' }));
  const first = ctx.ask({ ...question, key: 'again' });
  await refused(ctx.ask(question));
  await first;
  await refused(ctx.ask({ ...question, key: 'again' }));
  await refused(ctx.ask({ text: 'Nothing to choose' }));
  async function* pieces() {
    yield 'so far';
    await refused(ctx.ask(question));
  }
  await ctx.stream(pieces());
}

async function parts(ctx: BotContext): Promise<void> {
  await ctx.part({ id: 'first', type: 'notice', text: 'before the answer' });
  async function* pieces() {
    yield 'é';
    await ctx.part({ id: 'look', type: 'tool', name: 'look', status: 'running' });
    yield ' and more';
    await ctx.part({ id: 'look', type: 'tool', name: 'look', output: [1], status: 'done' });
    await ctx
      .part({ id: 'bad', type: 'source', url: 'ftp://x' })
      .catch(({ code }: { code?: string }) => report('refused', { code }));
    yield* read('parts');
  }
  await ctx.stream(pieces());
}

bot.command({ command: 'weather', description: 'The weather', arguments: [{ name: 'city', required: true }] }, (ctx) =>
  ctx.reply(`sunny in ${ctx.command.args}`),
);
bot.command('/secret', (ctx) => ctx.reply('found'));
bot.action(/^buy:(\d+)$/, (ctx) => ctx.reply(`${ctx.from.username} buys ${ctx.match[1]}`));
bot.action('form_submit:order', (ctx) => ctx.reply(`Noted: ${String(ctx.press.fields['note'])}`));
bot.action('ask', (ctx) => ask(ctx, { options: [{ id: 'yes', label: 'Yes' }] }));
bot.action('slow', (ctx) => stream(ctx, 'slow'));

bot.inline((query, { from }) => {
  if (query === 'bad') throw new Error('no idea');
  if (query === 'much') return ['x'.repeat(5_000), ...Array.from({ length: 59 }, (_, at) => `${at + 1}`)];
  return [`${query} for ${from.username}`];
});

if (options.catches)
  bot.catch(async (error, ctx) => {
    const { message, name } = error as Error; // the suite's errors are
    report('caught', { error: message, type: name });
    if (!ctx?.text.startsWith('raise')) return;
    await ctx.reply(`caught ${message}`);
    throw new Error('again');
  });

createInterface(process.stdin).on('line', (line) => {
  const command = JSON.parse(line) as Record<string, unknown>; // written by SuiteBotProcess
  const source = sourceOf(String(command['source']));
  if (typeof command['write'] === 'string') source.write(command['write']);
  if (typeof command['fail'] === 'string') source.fail(new Error(command['fail']));
  if ('end' in command) source.end();
  if ('stop' in command)
    void bot.stop({ graceMs: Number(command['stop']) * 1_000 }).then(() => process.stdin.destroy());
  if ('elapse' in command) for (const callback of held.splice(0)) callback();
});

report('started', { isConnected: await bot.start() });
bot.client.onState((state) => {
  if (state !== 'closed') return;
  report('closed');
  process.stdin.destroy();
});
