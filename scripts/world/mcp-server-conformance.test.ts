import { execFile } from 'node:child_process';
import { glob, readFile } from 'node:fs/promises';
import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createWorld } from '@parley/testing';
import { needs } from '@parley/testing/programs/needs.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { fromNpm, PATIENCE_MS } from './installed.ts';

const PACKAGE = '@modelcontextprotocol/conformance';
const versions = { [PACKAGE]: '0.2.0-alpha.12', '@ai-sdk/mcp': '2.0.99', '@modelcontextprotocol/inspector': '2.12.0' };

/** Checks that the service does not pass, by the reason. */
const exceptions: Readonly<Record<string, readonly string[]>> = {
  "they call a tool or read a resource of the suite's own server": [
    'tools-call-image',
    'tools-call-audio',
    'tools-call-embedded-resource',
    'tools-call-mixed-content',
    'tools-call-with-progress',
    'resources-read-text',
    'resources-read-binary',
    'resources-templates-read',
    'sep-2575-server-rejects-undeclared-capability',
    'sep-2575-missing-capability-http-400',
  ],
  'there are no prompts (MCPS-7), and nothing to complete': [
    'prompts-list',
    'prompts-get-simple',
    'prompts-get-with-args',
    'prompts-get-embedded-resource',
    'prompts-get-with-image',
    'sep-2549-prompts-list-caching-hints',
    'completion-complete',
  ],
  'nothing is kept between two requests: no sessions, subscriptions or log levels (MCPS-1)': [
    'logging-set-level',
    'tools-call-with-logging',
    'server-sse-multiple-streams-session',
    'resources-subscribe',
    'resources-unsubscribe',
    'sep-2575-server-sends-subscription-ack',
    'sep-2575-server-tags-subscription-id',
  ],
  'no tool asks its caller anything': [
    'tools-call-sampling',
    'tools-call-elicitation',
    'elicitation-sep1034-general',
    'elicitation-sep1330-general',
    'sep-2322-elicitation-incomplete',
    'sep-2322-sampling-incomplete',
    'sep-2322-list-roots-incomplete',
    'sep-2322-request-state-incomplete',
    'sep-2322-multiple-inputs-incomplete',
    'sep-2322-multi-round-r1',
    'sep-2322-missing-response-rerequests',
    'sep-2322-non-tool-incomplete',
    'sep-2322-result-type-included',
    'sep-2322-reject-tampered-state',
    'sep-2322-respect-client-capabilities',
    'sep-2322-validate-input-responses',
    'sep-2322-error-on-protocol-error',
  ],
};

interface Check {
  id: string;
  status: string;
}

/** Of the suite: what a revision requires of servers. */
interface Requirements {
  server: string[];
}

/** A proxy that adds the access token, which the suite cannot be given. */
async function bearing(url: string, token: string) {
  const { hostname, port } = new URL(url);
  const proxy = createServer((incoming, response) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${token}` };
    const outgoing = forward({ hostname, port, path: incoming.url, method: incoming.method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    outgoing.on('error', () => response.destroy());
    incoming.pipe(outgoing);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const address = proxy.address() as AddressInfo; // it listens on TCP
  return {
    url: `http://127.0.0.1:${address.port}/mcp`,
    [Symbol.dispose]() {
      proxy.closeAllConnections();
      proxy.close();
    },
  };
}

type Anything = any; // oxlint-disable-line typescript/no-explicit-any -- of packages that the test installs

describe('clients of others and the conformance suite of MCP against /mcp', needs('bash'), () => {
  const opened = new AsyncDisposableStack();
  let folder: string;
  let url: string;
  let chat_id: string;
  let load: Awaited<ReturnType<typeof fromNpm>>['load'];
  beforeAll(async () => {
    ({ folder, load } = opened.use(await fromNpm(versions)));
    const world = opened.use(await createWorld({ nodes: 0, expectsErrors: true }));
    const ann = await world.person('ann');
    ({ id: chat_id } = await world.group(ann));
    const { token } = await ann.api.createAccessToken({ name: 'suite', scopes: ['read', 'send', 'manage'] });
    const proxy = await bearing(world.url, token);
    opened.defer(() => proxy[Symbol.dispose]());
    ({ url } = proxy);
  }, PATIENCE_MS);
  afterAll(() => opened.disposeAsync());

  /** The checks that a scenario finds wrong. */
  async function faultsOf(scenario: string, revision: string): Promise<string[]> {
    const program = join(folder, 'node_modules', PACKAGE, 'dist/index.js');
    const into = join(folder, 'server', revision, scenario);
    const args = [program, 'server', '--url', url, '--scenario', scenario, '--spec-version', revision, '--force'];
    await promisify(execFile)(process.execPath, [...args, '-o', into], { maxBuffer: 2 ** 26 }).catch(() => {});
    for await (const found of glob('**/checks.json', { cwd: into })) {
      const checks = JSON.parse(await readFile(join(into, found), 'utf8')) as Check[]; // of the suite
      return checks.filter(({ status }) => ['FAILURE', 'WARNING'].includes(status)).map(({ id }) => id);
    }
    return [`${scenario} left no results`];
  }

  test.each(['2025-11-25', '2026-07-28'])(
    'MCPS-1, MCPS-3, MCPS-4, MCPS-5, MCPS-7: those of revision %s pass, but for those with a reason',
    async (revision) => {
      const sets = join(folder, 'node_modules', PACKAGE, 'requirements', `${revision}.yaml`);
      const { server } = parse(await readFile(sets, 'utf8')) as Requirements;
      const faults = new Set<string>();
      let passed = 0;
      for (const scenario of server) {
        const found = await faultsOf(scenario, revision);
        if (found.length === 0) passed += 1;
        for (const id of found) faults.add(id);
      }
      const known = new Set(Object.values(exceptions).flat());
      expect([...faults].filter((id) => !known.has(id))).toEqual([]);
      expect(passed).toBeGreaterThan(6);
      expect(server.length).toBeGreaterThan(15);
    },
    PATIENCE_MS,
  );

  test('MCPS-1, MCPS-4, MCPS-5: @ai-sdk/mcp lists the tools and calls them', async () => {
    const { createMCPClient }: Anything = await load('@ai-sdk/mcp');
    const client = await createMCPClient({ transport: { type: 'http', url } });
    const tools = await client.tools();
    expect(Object.keys(tools)).toContain('sendMessage');
    const sent = await tools.sendMessage.execute({ chat_id, text: 'by an SDK' }, { toolCallId: '1', messages: [] });
    expect(JSON.parse(sent.content[0].text)).toMatchObject({ content: 'by an SDK', via: { name: 'suite' } });
    await client.close();
  });

  test.each(['legacy', 'modern'])('MCPS-1, MCPS-4, MCPS-5: the inspector calls a tool, in the %s era', async (era) => {
    const program = join(folder, 'node_modules/.bin/mcp-inspector');
    const args = ['--cli', url, '--transport', 'http', '--protocol-era', era, '--method', 'tools/call'];
    const { stdout } = await promisify(execFile)(program, [...args, '--tool-name', 'getMe']);
    expect(stdout).toContain('ann');
  });
});
