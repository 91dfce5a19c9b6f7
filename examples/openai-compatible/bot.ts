import { type BotContext, createBot, type Message } from '@parley/client/bot';

// Streams replies from any server with OpenAI's chat completions API: OpenAI itself, Ollama, vLLM, llama.cpp … Every
// user can set an address, model and key in the bot's settings; the owner's values are the default.
const bot = createBot();

bot.on('message', async (ctx) => {
  const { config, secrets } = await ctx.config();
  const baseUrl = config['base_url']?.replace(/(?<!\/)\/+$/, '');
  if (!baseUrl || !config['model']) return ctx.reply('I need `base_url` and `model`: set them in my settings.');

  let usage: { input_tokens: number; output_tokens: number } | undefined;
  async function* completion(): AsyncGenerator<string> {
    const response = await fetch(`${baseUrl}/chat/completions`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(secrets['api_key'] && { authorization: `Bearer ${secrets['api_key']}` }),
      },
      body: JSON.stringify({
        model: config['model'],
        messages: await conversation(ctx, config['system_prompt']),
        stream: true,
        stream_options: { include_usage: true },
      }),
      signal: ctx.signal,
    });
    if (!response.ok || !response.body) throw new Error(`${baseUrl} answered ${response.status}`);
    let isWhole = false;
    for await (const data of events(response.body)) {
      isWhole = data === '[DONE]';
      if (isWhole) break;
      // Trusts the server to follow the format.
      const chunk = JSON.parse(data) as Chunk;
      if (chunk.error) throw new Error(chunk.error.message ?? 'the model failed');
      if (chunk.usage)
        usage = { input_tokens: chunk.usage.prompt_tokens, output_tokens: chunk.usage.completion_tokens };
      const text = chunk.choices?.[0]?.delta?.content;
      if (text) yield text;
    }
    if (!isWhole) throw new Error('the model ended its reply early');
  }
  return ctx.stream(completion(), { usage: () => usage });
});

interface Chunk {
  choices?: { delta?: { content?: string | null } }[];
  usage?: { prompt_tokens: number; completion_tokens: number } | null;
  error?: { message?: string };
}

/** The history for the model: its own messages, and everyone else's, with names in groups. */
async function conversation(ctx: BotContext, systemPrompt: string | undefined) {
  const { kind } = await ctx.chat;
  const name = ({ sender }: Message): string =>
    kind === 'group' ? `${sender.display_name} (@${sender.username}): ` : '';
  const history = (await ctx.history(40)).filter(({ content, status }) => content !== '' && status !== 'failed');
  const messages = history.map((message) =>
    message.sender.username === ctx.bot.username
      ? { role: 'assistant', content: message.content }
      : { role: 'user', content: name(message) + message.content },
  );
  return systemPrompt ? [{ role: 'system', content: systemPrompt }, ...messages] : messages;
}

/** The `data` fields of server-sent events. */
async function* events(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of body) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split(/\r?\n/);
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.startsWith('data:')) yield line.slice(5).trim();
  }
}

await bot.start();
