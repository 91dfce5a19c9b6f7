import { createWorld } from '@parley/testing';
import { describeCluster } from '@parley/testing/contracts/tested-engine.ts';
import { addSignIn } from '@parley/testing/tools/fake-sign-in.ts';
import { startToolServer } from '@parley/testing/tools/fake-tool-server.ts';
import { expect, test } from 'vitest';
import { agentWith, comeBack, given, PUBLIC, toolsOf } from './tool-stage.ts';

/** Calls of each node that need the credential at once. */
const CALLS = 4;

describeCluster('Logins to servers of tools on several nodes', () => {
  test('TOOL-23: ★ a credential is refreshed once in the whole cluster, however many calls on all nodes need it at once', async () => {
    await using server = await startToolServer({ peek: {} });
    const signIn = addSignIn(server);
    await using world = await createWorld({
      nodes: 2,
      env: { TOOL_ENDPOINTS: server.origin, PUBLIC_URL: PUBLIC, DEV_TOKENS: '1' },
    });
    const ann = await world.person('ann');
    const username = await agentWith(ann, given(server, { identity: 'asker', auth: 'oauth' }));
    const { url } = await ann.api.startToolLogin({ username, server: 'bank' });
    // Good for so short a time that its first use refreshes it.
    signIn.seconds = 30;
    expect((await comeBack(world, signIn.approve(url))).status).toBe(200);
    signIn.seconds = 3_600;
    const nodes = await Promise.all(world.services.map((service) => toolsOf(world, username, 'ann', service)));
    expect(nodes).toHaveLength(2);
    let number = 0;
    const callOnAll = () =>
      Promise.all(
        nodes.flatMap(({ call }) =>
          Array.from({ length: CALLS }, () => call({ tool: 'peek', callId: `call-${(number += 1)}` })),
        ),
      );
    const done = Array.from({ length: 2 * CALLS }, () => 'done');

    expect((await callOnAll()).map(({ status }) => status)).toEqual(done);
    // A second use of a refresh token is refused, and would end the login.
    expect(signIn.refreshes).toEqual(['refresh-1']);
    // Refused before its time, too.
    server.tokens = [];
    expect((await callOnAll()).map(({ status }) => status)).toEqual(done);
    expect(signIn.refreshes).toEqual(['refresh-1', 'refresh-2']);
    expect(server.calls).toHaveLength(4 * CALLS);
    expect(new Set(server.calls.map(({ token }) => token))).toEqual(new Set(['access-2', 'access-3']));
  });
});
