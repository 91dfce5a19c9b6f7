import { Actor } from '@parley/testing';
import type { Cast } from './play-session.ts';

/** A bot of ann's joins the group, answers messages and inline queries, and offers buttons. */
export async function agents(cast: Cast): Promise<Actor> {
  const { world, recorder, ann, bob, cid, chat_id } = cast;
  const { token } = await recorder.call(ann.token, 'createBot', {
    slug: 'weather',
    display_name: 'Weather',
    config_schema: [
      { key: 'units', label: 'Units', type: 'select', options: ['metric', 'imperial'], default: 'metric' },
    ],
    secret_schema: [{ key: 'service_token', label: 'Token of the weather service', type: 'string' }],
  });
  const username = 'ann:weather';
  const bot = new Actor(world, username, token);
  const ofBot = await bot.socket();
  const agent_username = username;
  await recorder.call(ann.token, 'addGroupAgent', { chat_id, agent_username, always_on: true });
  await recorder.call(ann.token, 'setGroupAgentMode', {
    chat_id,
    agent_username,
    always_on: false,
    follows_threads: true,
  });
  await recorder.call(bob.token, 'getGroupAgents', { chat_id });
  await recorder.call(ann.token, 'setAgentKey', { provider: 'provider_a', api_key: 'example-key-of-nobody-4321' });
  await recorder.call(ann.token, 'getMyAgents', {});
  await recorder.call(ann.token, 'getModels', { provider: 'provider_a' });
  await oneMoreReply(cast, 'example-key-of-nobody-4321');
  await recorder.call(ann.token, 'removeAgentKey', { provider: 'provider_a' });
  await recorder.call(ann.token, 'setBotConfig', { username, config: { units: 'metric' }, show_on_profile: ['units'] });
  const own = { config: { units: 'imperial' }, secrets: { service_token: 'example-secret-8765' } };
  await recorder.call(bob.token, 'setMyBotConfig', { username, ...own });
  await recorder.call(bob.token, 'getMyBotConfig', { username });

  await recorder.call(bob.token, 'previewDispatch', { chat_id, text: '@ann:weather rain on Friday?' });
  await agentsOfHerOwn(cast);

  const question = await recorder.call(bob.token, 'sendMessage', { chat_id, text: '@ann:weather rain on Friday?' });
  await recorder.call(bot.token, 'getRunConfig', { message_id: question.id });
  const reply = await recorder.call(bot.token, 'startMessageStream', { chat_id, reply_to_message_id: question.id });
  const message_id = reply.id;
  await recorder.call(bot.token, 'appendMessageStream', { message_id, delta: 'Sunny, ', offset: 7 });
  await world.settle();
  await recorder.refuse('appendMessageStream', { token: bot.token, request: { message_id, delta: 'x', offset: 99 } });
  const found = { id: 'forecast', type: 'source' as const, url: 'https://weather.example/lisbon', title: 'Forecast' };
  await recorder.call(bot.token, 'appendMessageStream', { message_id, part: found });
  await recorder.call(bot.token, 'appendMessageStream', { message_id, delta: '75 °F.\n', offset: 15 });
  await world.settle();
  const { hello } = await cid.socket('focus');
  await recorder.call(cid.token, 'wsFocus', { socket: hello.socket, focus: { chat_id }, snapshots: [message_id] });
  await recorder.call(bob.token, 'stopRun', { chat_id, message_id });
  const usage = { input_tokens: 812, output_tokens: 14 };
  await recorder.call(bot.token, 'finishMessageStream', { message_id, status: 'complete', usage });
  await recorder.call(ann.token, 'getUsage', {});

  const asked = recorder.call(bob.token, 'queryInline', { chat_id, bot_username: username, query: 'tomorrow' });
  const { query_id } = await ofBot.event('inlineQuery');
  const results = ['{% card title="Tomorrow" body="Cloudy, 70 °F" /%}'];
  await recorder.call(bot.token, 'answerInlineQuery', { query_id, results });
  await asked;
  const shown = await bot.api.sendMessage({
    chat_id,
    text: '{% button label="Buy" action="trade:buy:SUN:10" /%} {% button label="More" action="more:SUN" /%}',
  });
  const press = { chat_id, message_id: shown.id, action: 'trade:buy:SUN:10' };
  await recorder.call(bob.token, 'sendComponentAction', press);
  await world.settle();
  await handledPress(cast, bot, shown.id);
  return bot;
}

/** The bot handles presses itself, and offers a command. */
async function handledPress({ world, recorder, bob, chat_id }: Cast, bot: Actor, message_id: string): Promise<void> {
  const ofBot = await bot.socket('ext');
  await bot.api.setBotConfig({ username: bot.username, handles_actions: true });
  await bob.api.sendComponentAction({ chat_id, message_id, action: 'more:SUN' });
  await world.settle();
  await bot.api.setBotConfig({ username: bot.username, handles_actions: false });
  const city = { name: 'city', required: true, description: 'Where' };
  const commands = [{ command: 'weather', description: 'The weather of today', arguments: [city] }];
  await recorder.call(bot.token, 'setBotCommands', { commands });
  await recorder.call(bob.token, 'getBotCommands', { chat_id });
  await recorder.call(bot.token, 'getOpenStreams', {});
  await ofBot.close();
}

/** Ann makes an agent of her own, changes it, and deletes it. */
async function agentsOfHerOwn({ recorder, ann, bob }: Cast): Promise<void> {
  const { username } = await recorder.call(ann.token, 'createAgent', {
    slug: 'translator',
    display_name: 'Translator',
    provider: 'provider_b',
    model: 'gpt-5.1',
    system_prompt: 'Translate what you are sent into French.',
    temperature: 0.2,
    description: 'Ask it anything, in any language.',
    visibility: 'public',
  });
  await recorder.call(ann.token, 'updateAgent', {
    username,
    max_output_tokens: 500,
    built_in_tools: ['current_time', 'ask'],
    group_monthly_tokens: 100_000,
    context: { messages: 1 },
  });
  await recorder.call(bob.token, 'getAgent', { username });
  await recorder.call(ann.token, 'deleteAgent', { username });
}

/** Ann has her agent's reply generated again, and the new one, which is cut off, continued. */
async function oneMoreReply({ world, recorder, ann }: Cast, key: string): Promise<void> {
  world.providers.script(
    key,
    { chunks: ['Perhaps.'] },
    { chunks: ['No: Friday'], finish: 'max_tokens' },
    { chunks: [' stays dry.'] },
  );
  const { id: chat_id } = await ann.api.startChat({ username: 'ann:provider_a' });
  await ann.api.sendMessage({ chat_id, text: 'Do I need an umbrella on Friday?' });
  await world.turnsEnded();
  const { items } = await ann.api.getChatHistory({ chat_id, limit: 1 });
  const socket = await ann.socket('ext');
  const { id: message_id } = await recorder.call(ann.token, 'retryReply', { message_id: items[0]?.id ?? '' });
  await socket.event('versionsChanged');
  await socket.close();
  await world.turnsEnded();
  await recorder.call(ann.token, 'continueReply', { message_id });
  await world.turnsEnded();
  await recorder.call(ann.token, 'getReplyPrices', { message_ids: [message_id] });
  await recorder.call(ann.token, 'chooseVersion', { message_id: items[0]?.id ?? '' });
}

/** Removes what the session created. */
export async function teardown({ world, recorder, ann, bob, cid, chat_id }: Cast, bot: Actor): Promise<void> {
  const { username } = bot;
  const { id: thread_root_id } = await ann.api.sendMessage({ chat_id, text: 'Where do we meet?' });
  await recorder.call(bob.token, 'dismissAgent', { chat_id, agent_username: username, thread_root_id });
  await recorder.call(ann.token, 'removeGroupAgent', { chat_id, agent_username: username });
  await recorder.call(ann.token, 'rotateBotToken', { username });
  await recorder.call(ann.token, 'deleteBot', { username });
  const { id: channel_id } = await recorder.call(ann.token, 'createChannel', { chat_id, title: 'Old' });
  await recorder.call(ann.token, 'deleteChannel', { chat_id, channel_id });
  const separate = await ann.api.startChat({ username: 'ann:provider_a', new: true });
  await recorder.call(ann.token, 'deleteChat', { chat_id: separate.id });
  await recorder.call(cid.token, 'leaveChat', { chat_id });
  await recorder.refuse('leaveChat', { token: ann.token, request: { chat_id } });
  await recorder.call(ann.token, 'removeMember', { chat_id, username: bob.username });
  await world.settle();
}
