import { addSignIn } from '@parley/testing/tools/fake-sign-in.ts';
import type { FakeToolServer } from '@parley/testing/tools/fake-tool-server.ts';
import type { Cast } from './play-session.ts';

/** Ann gives her agent a server of tools, for which everyone who asks signs in with a token of their own. */
export async function tools({ recorder, ann }: Cast, toolServer: FakeToolServer): Promise<void> {
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
    servers: [{ ...server, tools: [{ name: 'forecast', writes: false }] }],
  });
  await recorder.call(ann.token, 'setToolCredential', { username, server: 'weather', token: 'example-token-2468' });
  await recorder.call(ann.token, 'getToolServers', { username });
  await recorder.call(ann.token, 'removeToolCredential', { username, server: 'weather' });
  addSignIn(toolServer);
  await ann.api.setAgentTools({ username, servers: [{ ...server, auth: 'oauth' }] });
  await recorder.call(ann.token, 'startToolLogin', { username, server: 'weather' });
  await ann.api.setAgentTools({ username, servers: [] });
}
