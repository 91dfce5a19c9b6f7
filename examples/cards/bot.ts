import { type BotContext, createBot } from '@parley/client/bot';

// Message content beyond plain text. The service answers buttons and forms in the bot's name: see "Cards, buttons and
// forms" in docs/BOTS.md.
const pages: Readonly<Record<string, string>> = {
  markdown: [
    '# Markdown',
    'Text is **strong**, *soft*, ~~gone~~ or `code`; [links](https://example.com) lead somewhere.',
    '| what | how |\n|---|---|\n| a table | with bars |\n| a task | `- [ ]` |',
    '- [x] lists\n- [ ] and tasks',
    '```ts\nconst answer = 6 * 7;\n```',
  ].join('\n\n'),

  cards: [
    '{% card title="A card" subtitle="with a picture of nothing" body="and some words" url="https://example.com" /%}',
    '{% ticker symbol="ACME" price="123.40" change="+1.2%" /%}',
    '{% card title="One with more in it" %}\nMarkdown, *inside* of a card.\n{% /card %}',
  ].join('\n\n'),

  buttons: [
    'What shall it be?',
    '{% button action="trade:buy:ACME:10" style="primary" %}Buy 10 ACME{% /button %} ' +
      '{% button action="alert:ACME:gt:150" %}Tell me above 150{% /button %} ' +
      '{% button action="dismiss:offer" style="quiet" %}Not now{% /button %}',
  ].join('\n\n'),

  form: [
    '{% form id="feedback" title="How was it?" %}',
    '{% input name="name" label="Your name" required=true /%}',
    '{% select name="mark" label="Mark" options=["good", "so-so", "bad"] /%}',
    '{% textarea name="words" label="In words" /%}',
    '{% submit label="Send" /%}',
    '{% /form %}',
  ].join('\n'),
};

const menu = `I can show ${Object.keys(pages).join(', ')}, or \`all\` of it slowly. Say one of these words.`;

/** Yields a page word by word, like a model. */
async function* slowly(text: string, signal: AbortSignal): AsyncGenerator<string> {
  for (const word of text.split(/(?<=\s)/)) {
    if (signal.aborted) return;
    yield word;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

const bot = createBot();

bot.on('message', async (ctx: BotContext) => {
  const word = ctx.text.toLowerCase();
  if (word === 'all') return ctx.stream(slowly(Object.values(pages).join('\n\n'), ctx.signal));
  const page = pages[word];
  if (page !== undefined) await ctx.react('✨');
  return ctx.reply(page ?? menu);
});

await bot.start();
