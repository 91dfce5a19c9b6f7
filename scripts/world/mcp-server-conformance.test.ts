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
const versions = { [PACKAGE]: '0.2.0-alpha.12' };

const FIXTURE = "calls a tool or reads a resource of the suite's own server";
const NO_PROMPTS = 'there are no prompts (MCPS-7)';
const NO_STREAMS = 'nothing is kept between two requests (MCPS-1)';
const NO_QUESTIONS = 'no tool asks its caller anything';
const NO_COMPLETION = 'there is nothing to complete';
/** Checks that the service does not pass, and why. */
const exceptions: Record<string, string> = {};

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

describe('the scenarios for servers of the conformance suite of MCP', needs('bash'), () => {
  const opened = new AsyncDisposableStack();
  let folder: string;
  let url: string;
  beforeAll(async () => {
    ({ folder } = opened.use(await fromNpm(versions)));
    const world = opened.use(await createWorld({ nodes: 0, expectsErrors: true }));
    const ann = await world.person('ann');
    await world.group(ann);
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
      console.log(JSON.stringify([revision, passed, [...faults]]));
      expect([...faults].filter((id) => !(id in exceptions))).toEqual([]);
      expect(passed).toBeGreaterThan(6);
      expect(server.length).toBeGreaterThan(15);
    },
    PATIENCE_MS,
  );
});
