import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Message } from '@parley/protocol';
import { createWorld, type World } from '@parley/testing';
import { needs } from '@parley/testing/programs/needs.ts';
import { type FakeProviders, type ReplyScript, startFakeProviders } from '@parley/testing/providers/fake-providers.ts';
import { freePort } from '@parley/testing/servers/free-port.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fromPyPI, PATIENCE_MS } from './installed.ts';
import { started } from './started.ts';

const MASTER_KEY = 'sk-of-the-proxy';
/** What the proxy's upstream knows it by. */
const KEY = 'sk-of-the-upstream';

describe('LiteLLM as the server of an agent', needs('python'), () => {
  const opened = new AsyncDisposableStack();
  let upstream: FakeProviders;
  let world: World;
  let origin: string;
  beforeAll(async () => {
    const packages = opened.use(await fromPyPI({ 'litellm[proxy]': '1.108.7' }));
    upstream = await startFakeProviders();
    opened.defer(() => upstream.close());
    const config = join(packages.folder, 'config.yaml');
    const models = [
      { model_name: 'ours', litellm_params: { model: 'openai/llama', api_base: upstream.urlB, api_key: KEY } },
    ];
    const settings = {
      model_list: models,
      // Else it asks an upstream of OpenAI's kind for Anthropic's protocol in the Responses API.
      litellm_settings: { use_chat_completions_url_for_anthropic_messages: true },
      general_settings: { master_key: MASTER_KEY },
      router_settings: { disable_cooldowns: true, num_retries: 0 },
    };
    await writeFile(config, JSON.stringify(settings)); // which is YAML too
    const port = await freePort();
    const args = ['--config', config, '--host', '127.0.0.1', '--port', String(port), '--telemetry', 'False'];
    const env = { LITELLM_LOCAL_MODEL_COST_MAP: 'True' }; // fetches nothing
    const program = join(packages.folder, 'venv/bin/litellm');
    opened.use(await started(program, { args, port, folder: packages.folder, env, patienceMs: 120_000 }));
    origin = `http://127.0.0.1:${port}`;
    // It loads what it needs for a protocol at the first request, for seconds.
    upstream.script(KEY, {});
    const messages = [{ role: 'user', content: 'hi' }];
    const body = JSON.stringify({ model: 'ours', max_tokens: 5, stream: true, messages });
    const headers = {
      authorization: `Bearer ${MASTER_KEY}`,
      'content-type': 'application/json',
      connection: 'close',
    };
    for (const path of ['chat/completions', 'messages'])
      await (await fetch(`${origin}/v1/${path}`, { method: 'POST', headers, body })).text();
    world = opened.use(await createWorld({ nodes: 0, env: { AGENT_ENDPOINTS: origin } }));
  }, PATIENCE_MS);
  afterAll(() => opened.disposeAsync());

  /** A chat with an agent that uses the proxy with the protocol of a provider. */
  async function chatOf(provider: 'provider_a' | 'provider_b', name: string) {
    const owner = await world.person(name);
    const made = { slug: 'proxied', display_name: 'Proxied', provider, model: 'ours', base_url: `${origin}/v1` };
    const { username } = await owner.api.createAgent(made);
    await owner.api.setBotConfig({ username, secrets: { api_key: MASTER_KEY } });
    const { id: chat_id } = await owner.api.startChat({ username });
    const socket = await owner.socket();
    const ask = async (script: ReplyScript): Promise<Message> => {
      upstream.script(KEY, script);
      const { id } = await owner.api.sendMessage({ chat_id, text: 'hello' });
      return socket.event('messageComplete', ({ reply_to_id }) => reply_to_id === id);
    };
    const failureOf = async (script: ReplyScript) => {
      const { id, status, content, finish_reason } = await ask(script);
      const { details } = await socket.event('alert', ({ message_id }) => message_id === id);
      return [status, content, finish_reason, details];
    };
    return { owner, username, chat_id, ask, failureOf };
  }

  test.each(['provider_a', 'provider_b'] as const)(
    'CUSTOM-1, PROVIDER-1, PROVIDER-5, PROVIDER-6, PROVIDER-28: replies in the protocol of %s, errors, and a stop',
    async (provider) => {
      const { owner, username, chat_id, ask, failureOf } = await chatOf(provider, `ann_${provider}`);
      const usage = { input_tokens: 30, output_tokens: 2 };
      expect(await owner.api.getModels({ username })).toEqual({ items: [{ id: 'ours' }] });
      const whole = await ask({ chunks: ['Sun', 'ny!'], usage: { input: 30, output: 2 } });
      expect(whole).toMatchObject({ status: 'complete', content: 'Sunny!', usage });
      expect(await ask({ chunks: ['Sun'], finish: 'length' })).toMatchObject({
        content: 'Sun',
        finish_reason: 'length',
      });
      const call = { call: 'weather', input: { city: 'Rome' } };
      expect(await ask({ chunks: ['Sun', call], finish: 'tool_calls' })).toMatchObject({
        status: 'complete',
        finish_reason: 'tools',
        parts: [{ type: 'tool', name: 'weather', input: call.input }],
      });
      expect(await ask({ chunks: [{ reasoning: ['hm', 'mm'] }, 'Sun'] })).toMatchObject({
        content: 'Sun',
        parts: [{ type: 'reasoning', text: 'hmmm' }],
      });

      const said = (text: string) => expect.stringContaining(text);
      const broken: ReplyScript = { chunks: ['Sun'], ending: 'error', message: 'out of memory' };
      expect(await failureOf(broken)).toEqual(['failed', 'Sun', 'overloaded', said('out of memory')]);
      const refused: ReplyScript = { status: 400, message: 'no such thing' };
      expect(await failureOf(refused)).toEqual(['failed', '', 'bad_request', said('no such thing')]);
      const cut: ReplyScript = { chunks: ['Sun'], ending: 'abort' };
      // In Anthropic's protocol it may keep back the last words that it has.
      const some = expect.stringMatching(/^(?:Sun)?$/);
      expect(await failureOf(cut)).toEqual(['failed', some, 'overloaded', said('Connection error')]);

      const steered = upstream.steer(KEY);
      const own = await owner.socket();
      await owner.api.sendMessage({ chat_id, text: 'hello' });
      await steered.started;
      steered.text('some text');
      // A new socket has not seen the other replies.
      await own.event('messageDelta');
      await owner.api.stopRun({ chat_id });
      const stopped = await own.event('messageComplete');
      expect(stopped).toMatchObject({ status: 'cancelled', content: 'some text' });
      await steered.aborted;
    },
  );
});
