import { needs } from '@parley/testing/programs/needs.ts';
import { BotStage } from '@parley/testing/bot/stage.ts';
import type { TextSource } from '@parley/client/bot';
import { expect, test } from 'vitest';
import { fromNpm, PATIENCE_MS } from './installed.ts';

/** A value of a package that has no types here. */
// oxlint-disable-next-line typescript/no-explicit-any -- the packages are installed by the test
type Anything = any;

const versions = {
  '@langchain/core': '1.4.0',
  '@langchain/langgraph': '1.7.3',
  '@openai/agents': '0.20.0',
  ai: '6.0.326',
  zod: '4.6.7',
};

test(
  'BOTSDK-26, BOTSDK-33, BOTSDK-34: the streams of LangChain, LangGraph, OpenAI Agents and ai become whole answers',
  { ...needs('bash'), timeout: PATIENCE_MS },
  async () => {
    await using world = await fromNpm(versions);
    const load = async (name: string): Promise<Anything> => world.load(name);
    const { z } = await load('zod');
    await using stage = await BotStage.start();
    const bot = stage.bot();
    let source: () => TextSource | Promise<TextSource> = () => [];
    bot.on('message', async (ctx) => void (await ctx.stream(await source())));
    await bot.start({ signals: false });
    const answer = async (next: typeof source) => {
      source = next;
      return stage.answerTo(await stage.say('go'));
    };
    const whole = { content: 'Sunny!', status: 'complete' };
    const tool = { type: 'tool', name: 'weather', status: 'done', input: { city: 'Rome' } };

    const { FakeStreamingChatModel } = await load('@langchain/core/utils/testing');
    const { AIMessageChunk, AIMessage, ToolMessage } = await load('@langchain/core/messages');
    const chunks = [
      new AIMessageChunk({ content: 'Sun' }),
      new AIMessageChunk({ content: [{ type: 'text', text: 'ny!', index: 0 }] }),
    ];
    const model = new FakeStreamingChatModel({ chunks });
    const usage = { input_tokens: 3, output_tokens: 2 };
    expect(await answer(() => model.stream('hi'))).toMatchObject(whole);
    expect(await answer(() => model.streamEvents('hi', { version: 'v2' }))).toMatchObject(whole);

    const { StateGraph, MessagesAnnotation } = await load('@langchain/langgraph');
    const call = new AIMessage({ content: '', tool_calls: [{ id: 'c1', name: 'weather', args: { city: 'Rome' } }] });
    const result = new ToolMessage({ content: 'sunny', tool_call_id: 'c1', name: 'weather' });
    const graph = new StateGraph(MessagesAnnotation)
      .addNode('call', () => ({ messages: [call] }))
      .addNode('tools', () => ({ messages: [result] }))
      .addNode('agent', async (state: Anything) => ({ messages: [await model.invoke(state.messages)] }))
      .addEdge('__start__', 'call')
      .addEdge('call', 'tools')
      .addEdge('tools', 'agent')
      .compile();
    const asked = { messages: [{ role: 'user', content: 'hi' }] };
    for (const streamMode of ['messages', ['messages', 'updates']])
      expect(await answer(() => graph.stream(asked, { streamMode }))).toMatchObject({ ...whole, parts: [tool] });
    expect(await answer(() => graph.stream(asked, { streamMode: 'values' }))).toMatchObject({ status: 'failed' });

    const agents = await load('@openai/agents');
    agents.setTracingDisabled(true);
    let calls = 0;
    const ofAgents = {
      async *getStreamedResponse() {
        calls += 1;
        const id = `r${calls}`;
        const done = (output: object) => ({
          type: 'response_done',
          response: { id, usage: { inputTokens: 3, outputTokens: 2, totalTokens: 5 }, output: [output] },
        });
        yield { type: 'response_started' };
        if (calls % 2 === 1) {
          const city = '{"city":"Rome"}';
          yield done({ type: 'function_call', callId: id, name: 'weather', arguments: city, status: 'completed' });
          return;
        }
        for (const delta of ['Sun', 'ny!']) yield { type: 'output_text_delta', delta };
        const content = [{ type: 'output_text', text: 'Sunny!' }];
        yield done({ type: 'message', id: 'm', role: 'assistant', status: 'completed', content });
      },
    };
    const parameters = z.object({ city: z.string() });
    const weather = agents.tool({ name: 'weather', description: 'w', parameters, execute: async () => 'sunny' });
    const agent = new agents.Agent({ name: 'A', model: ofAgents, tools: [weather] });
    const ran = await answer(() => agents.run(agent, 'hi', { stream: true }));
    expect(ran).toMatchObject({ ...whole, parts: [tool], usage: { input_tokens: 6, output_tokens: 4 } });
    const texts = async () => (await agents.run(agent, 'hi', { stream: true })).toTextStream();
    expect(await answer(texts)).toMatchObject(whole);

    const { streamText } = await load('ai');
    const { MockLanguageModelV3, convertArrayToReadableStream } = await load('ai/test');
    const stream = () =>
      convertArrayToReadableStream([
        { type: 'stream-start', warnings: [] },
        { type: 'text-start', id: '1' },
        { type: 'text-delta', id: '1', delta: 'Sun' },
        { type: 'text-delta', id: '1', delta: 'ny!' },
        { type: 'text-end', id: '1' },
        {
          type: 'finish',
          finishReason: { unified: 'stop', raw: 'stop' },
          usage: { inputTokens: { total: 3 }, outputTokens: { total: 2 } },
        },
      ]);
    const ofAi = new MockLanguageModelV3({ doStream: async () => ({ stream: stream() }) });
    const text = () => streamText({ model: ofAi, prompt: 'hi' });
    expect(await answer(text)).toMatchObject({ ...whole, usage });
    expect(await answer(() => text().fullStream)).toMatchObject({ ...whole, usage });
    expect(await answer(() => text().textStream)).toMatchObject(whole);
    expect(await answer(() => text().toUIMessageStream())).toMatchObject(whole);
  },
);
