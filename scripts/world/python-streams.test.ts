import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BotProcess } from '@parley/testing/bot/bot-process.ts';
import { pythonEnv } from '@parley/testing/bot/python.ts';
import { BotStage } from '@parley/testing/bot/stage.ts';
import { needs } from '@parley/testing/programs/needs.ts';
import { startModelServer } from '@parley/testing/providers/fake-model-server.ts';
import { fakeOpenai } from '@parley/testing/providers/fake-openai.ts';
import { expect, test } from 'vitest';
import { fromPyPI, PATIENCE_MS } from './installed.ts';

const versions = {
  langchain: '1.5.0',
  'langchain-openai': '1.7.4',
  'openai-agents': '0.24.0',
  websockets: '16.1.1',
};

/** Answers a message with the stream that its text names. */
const program = `import os
from typing import Any

from agents import Agent, ModelSettings, OpenAIChatCompletionsModel, Runner, function_tool, set_tracing_disabled
from langchain.agents import create_agent
from langchain_openai import ChatOpenAI
from openai import AsyncOpenAI
from parley_bot import Bot, Context

server = {"base_url": os.environ["MODELS"], "api_key": "none"}
set_tracing_disabled(True)


def weather(city: str) -> str:
    """The weather in a city."""
    return "sunny"


model = ChatOpenAI(model="llama", stream_usage=True, **server)
graph = create_agent(model, [weather])
of_agents = OpenAIChatCompletionsModel(model="llama", openai_client=AsyncOpenAI(**server))
counts = ModelSettings(include_usage=True)
agent = Agent(name="A", model=of_agents, model_settings=counts, tools=[function_tool(weather)])
asked = {"messages": [{"role": "user", "content": "hi"}]}
sources: dict[str, Any] = {
    "model": lambda: model.astream("hi"),
    "model events": lambda: model.astream_events("hi", version="v2"),
    "graph": lambda: graph.astream(asked, stream_mode="messages"),
    "graph modes": lambda: graph.astream(asked, stream_mode=["messages", "updates"]),
    "graph events": lambda: graph.astream_events(asked, version="v2"),
    "agents": lambda: Runner.run_streamed(agent, "hi"),
    "agents events": lambda: Runner.run_streamed(agent, "hi").stream_events(),
}
bot = Bot()


@bot.on_message
async def answer(ctx: Context) -> None:
    await ctx.stream(sources[ctx.text]())


print("imported", flush=True)
bot.run()
`;

test(
  'PY-7: the streams of LangChain and of the OpenAI Agents SDK for Python become whole answers',
  { ...needs('python'), timeout: PATIENCE_MS },
  async () => {
    await using packages = await fromPyPI(versions);
    await using models = await startModelServer();
    /** A model that calls the tool which it is offered, and then says what the weather is. */
    models.answer = (_request, response) => {
      const body: Readonly<Record<string, unknown>> = models.requests.at(-1)?.body ?? {};
      const wire = fakeOpenai.wire(body, { usage: { input: 3, output: 2 } });
      const isDone = JSON.stringify(body['messages']).includes('"role":"tool"');
      const isCall = body['tools'] !== undefined && !isDone;
      const said = isCall
        ? wire.block({ call: 'weather', input: { city: 'Rome' } })
        : wire.text('Sun') + wire.text('ny!');
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(wire.opening() + said + wire.ending(isCall ? 'tool_calls' : 'stop'));
    };
    await using stage = await BotStage.start();
    const file = join(packages.folder, 'bot.py');
    await writeFile(file, program);
    const env = {
      ...pythonEnv,
      PARLEY_URL: stage.world.url,
      PARLEY_TOKEN: stage.account.token,
      MODELS: models.baseUrl,
    };
    await using bot = new BotProcess([file], { command: packages.python, cwd: packages.folder, env });
    await bot.says('imported');
    const whole = { content: 'Sunny!', status: 'complete' };
    const once = { ...whole, usage: { input_tokens: 3, output_tokens: 2 } };
    const tool = { type: 'tool', name: 'weather', status: 'done', input: { city: 'Rome' } };
    const twice = { ...whole, parts: [tool], usage: { input_tokens: 6, output_tokens: 4 } };
    const answers = {
      model: once,
      'model events': once,
      graph: twice,
      'graph modes': twice,
      'graph events': twice,
      agents: twice,
      'agents events': twice,
    };
    for (const [name, expected] of Object.entries(answers))
      expect([name, await stage.answerTo(await stage.say(name)), bot.said]).toMatchObject([
        name,
        expected,
        'imported\n',
      ]);
    expect([await bot.stop(), bot.said]).toEqual([0, 'imported\n']);
  },
);
