import { execFile } from 'node:child_process';
import { glob, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createWorld } from '@parley/testing';
import { needs } from '@parley/testing/programs/needs.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { play, PUBLIC, type Scenario } from './conformance-play.ts';
import { fromNpm, PATIENCE_MS } from './installed.ts';

const PACKAGE = '@modelcontextprotocol/conformance';
const versions = { [PACKAGE]: '0.2.0-alpha.12' };

const WITHOUT_PEOPLE = 'an extension: a login of a machine, in which no person takes part';
/** Scenarios that the service does not pass, and why. */
const exceptions: Record<string, string> = {
  'elicitation-sep1034-client-defaults':
    'a question of this revision waits while the call runs, which no person can answer in time: the service offers to take none (TOOL-19)',
  'auth/basic-cimd':
    'passes but for a warning: the suite expects the address of its own document as the id of the client, and gets that of ours',
  'auth/pre-registration': 'there is no way to give the service an id that somebody has registered by hand',
  'auth/client-credentials-basic': WITHOUT_PEOPLE,
  'auth/client-credentials-jwt': WITHOUT_PEOPLE,
  'auth/enterprise-managed-authorization': WITHOUT_PEOPLE,
  'auth/wif-jwt-bearer': WITHOUT_PEOPLE,
  'auth/dpop': 'an extension: tokens are bearer tokens',
  'auth/dpop-nonce': 'an extension: tokens are bearer tokens',
};

interface Check {
  id: string;
  status: string;
  description: string;
  errorMessage?: string;
}

/** Both of what a revision requires, and of what the suite runs without counting it. */
interface Requirements {
  client: string[];
  not_scored: { scenario: string; leg: string }[];
}

describe('the scenarios for clients of the conformance suite of MCP', needs('bash'), () => {
  const opened = new AsyncDisposableStack();
  let folder: string;
  let command: string;
  let played: Promise<unknown> = Promise.resolve();
  beforeAll(async () => {
    ({ folder } = opened.use(await fromNpm(versions)));
    // The suite's servers listen at any port.
    const origins = Array.from({ length: 64_000 }, (_, at) => `http://localhost:${1_024 + at}`).join();
    const env = { TOOL_ENDPOINTS: origins, PUBLIC_URL: PUBLIC, DEV_TOKENS: '1' };
    // A login that cannot begin is an error in the log.
    const world = opened.use(await createWorld({ nodes: 0, env, expectsErrors: true }));
    const control = createServer((request, response) => {
      played = text(request)
        .then((body) => play(world, JSON.parse(body) as Scenario)) // of conformance-client.ts
        .then((did) => void response.end(did.join('\n')))
        .catch((error: unknown) => void response.writeHead(500).end(String(error)));
    });
    await new Promise<void>((resolve) => control.listen(0, '127.0.0.1', resolve));
    opened.defer(() => void control.close());
    const client = fileURLToPath(new URL('conformance-client.ts', import.meta.url));
    const { port } = control.address() as AddressInfo; // it listens on TCP
    command = `${process.execPath} ${client} http://127.0.0.1:${port}`;
  }, PATIENCE_MS);
  afterAll(() => opened.disposeAsync());

  /** What a scenario finds wrong, and what was done; undefined if it passes. */
  async function faultsOf(scenario: string, revision: string): Promise<string | undefined> {
    const program = join(folder, 'node_modules', PACKAGE, 'dist/index.js');
    const into = join(folder, revision, scenario);
    const args = [program, 'client', '--scenario', scenario, '--spec-version', revision, '--force'];
    await promisify(execFile)(process.execPath, [...args, '--command', command, '-o', into, '--timeout', '90000'], {
      maxBuffer: 2 ** 26,
    }).catch(() => {});
    await played;
    for await (const found of glob('**/checks.json', { cwd: into })) {
      const checks = JSON.parse(await readFile(join(into, found), 'utf8')) as Check[]; // of the suite
      const bad = checks.filter(({ status }) => ['FAILURE', 'WARNING'].includes(status));
      const said = await readFile(join(into, found, '../stdout.txt'), 'utf8').catch(() => '');
      const lines = bad.map(({ id, description, errorMessage }) => `${id}: ${errorMessage ?? description}`);
      return bad.length === 0 ? undefined : [...lines, said].join('\n');
    }
    return 'it left no results';
  }

  test.each(['2025-11-25', '2026-07-28'])(
    'TOOL-15, TOOL-19, TOOL-20, TOOL-21, TOOL-22, TOOL-24: those of revision %s pass, but for those with a reason',
    async (revision) => {
      const sets = join(folder, 'node_modules', PACKAGE, 'requirements', `${revision}.yaml`);
      const { client, not_scored } = parse(await readFile(sets, 'utf8')) as Requirements; // of the suite
      const others = not_scored.filter(({ leg }) => leg === 'client').map(({ scenario }) => scenario);
      const faults: Record<string, string> = {};
      for (const scenario of [...client, ...others]) {
        const found = await faultsOf(scenario, revision);
        if (found !== undefined) faults[scenario] = found;
      }
      const unexpected = Object.entries(faults).filter(([scenario]) => !(scenario in exceptions));
      expect(unexpected).toEqual([]);
      const stale = [...client, ...others].filter((scenario) => scenario in exceptions && !(scenario in faults));
      expect(stale).toEqual([]);
      expect(client.length).toBeGreaterThan(15);
    },
    PATIENCE_MS,
  );
});
