import { addSignIn } from '@parley/testing/tools/fake-sign-in.ts';
import type { FakeToolServer } from '@parley/testing/tools/fake-tool-server.ts';
import type { Cast } from './play-session.ts';

/** Ann gives her agent a server of tools, for which everyone who asks signs in with a token of their own. */
export async function tools(cast: Cast, toolServer: FakeToolServer): Promise<void> {
  const { recorder, ann } = cast;
  const username = 'ann:provider_a';
  const server = {
    name: 'weather',
    url: toolServer.url,
    identity: 'asker',
    auth: 'bearer',
    approval: 'writes',
  } as const;
  await recorder.call(ann.token, 'setAgentTools', {
    username,
    servers: [
      {
        ...server,
        tools: [
          { name: 'forecast', writes: false },
          { name: 'warn', writes: true },
        ],
      },
    ],
  });
  await recorder.call(ann.token, 'setToolCredential', { username, server: 'weather', token: 'example-token-2468' });
  await recorder.call(ann.token, 'getToolServers', { username });
  await shareCall(cast, username);
  await recorder.call(ann.token, 'removeToolCredential', { username, server: 'weather' });
  addSignIn(toolServer);
  await ann.api.setAgentTools({ username, servers: [{ ...server, auth: 'oauth' }] });
  await recorder.call(ann.token, 'startToolLogin', { username, server: 'weather' });
  await ann.api.setAgentTools({ username, servers: [] });
}

/** The agent looks something up, and Ann shows what it found. */
async function shareCall({ world, recorder, ann }: Cast, username: string): Promise<void> {
  const key = 'example-key-of-nobody-8642';
  await ann.api.setAgentKey({ provider: 'provider_a', api_key: key });
  world.providers.script(
    key,
    { chunks: [{ call: 'weather_forecast', input: { place: 'Lisbon' } }], finish: 'tool_use' },
    { chunks: ['Friday stays dry.'] },
    { chunks: [{ call: 'weather_warn', input: { place: 'Lisbon' } }], finish: 'tool_use' },
    { chunks: ['You will be warned.'] },
  );
  const { id: chat_id } = await ann.api.startChat({ username });
  await ann.api.sendMessage({ chat_id, text: 'Will it rain in Lisbon on Friday?' });
  await world.turnsEnded();
  const { items } = await ann.api.getChatHistory({ chat_id, limit: 1 });
  const reply = items.at(-1);
  const part = reply?.parts?.find(({ type }) => type === 'tool');
  await recorder.call(ann.token, 'shareToolCall', { message_id: reply?.id ?? '', part_id: part?.id ?? '' });
  await ann.api.sendMessage({ chat_id, text: 'Warn me if that changes.' });
  await world.turnsEnded();
  const [asked] = (await ann.api.getDecisions({ state: 'open', chat_id })).items;
  await ann.api.decide({ decision_id: asked?.decision?.id ?? '', option: 'always' });
  await world.turnsEnded();
  await recorder.call(ann.token, 'getToolCalls', { status: 'done', limit: 2 });
  await recorder.call(ann.token, 'getToolGrants', {});
  const [grant] = (await ann.api.getToolGrants({})).items;
  await recorder.call(ann.token, 'revokeToolGrant', { grant_id: grant?.grant_id ?? '' });
  await ann.api.removeAgentKey({ provider: 'provider_a' });
}
