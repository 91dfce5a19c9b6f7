import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createWorld, type World } from '@parley/testing';
import { needs } from '@parley/testing/programs/needs.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asking, calls, results, scene, toolParts } from '../../packages/server/test/hands/hands-stage.ts';
import { fromNpm, PATIENCE_MS } from './installed.ts';
import { everything, filesystem, memory, toolVersions } from './mcp-programs.ts';

type Anything = any; // oxlint-disable-line typescript/no-explicit-any -- of packages that the test installs

describe('servers of tools of others, used by an agent', needs('bash'), () => {
  const opened = new AsyncDisposableStack();
  const urls: Record<string, string> = {};
  let world: World;
  let root: string;
  beforeAll(async () => {
    const packages = opened.use(await fromNpm(toolVersions));
    root = join(packages.folder, 'documents');
    await mkdir(root);
    await writeFile(join(root, 'rent.txt'), 'The rent is 800.');
    const origins: string[] = [];
    for (const [name, program] of Object.entries({
      everything: everything(packages.folder),
      filesystem: filesystem(packages.folder, root),
      memory: memory(packages.folder),
    })) {
      const { url, origin } = opened.use(await program);
      urls[name] = url;
      origins.push(origin);
    }
    const own = await asks(packages.load);
    opened.defer(() => own.close());
    urls['asks'] = own.url;
    const env = { TOOL_ENDPOINTS: [...origins, own.origin].join() };
    world = opened.use(await createWorld({ nodes: 0, env }));
  }, PATIENCE_MS);
  afterAll(() => opened.disposeAsync());

  let people = 0;
  /** A person with an agent that has one of the servers. */
  async function withServer(name: string, tools: Record<string, 'reads' | 'writes'>) {
    const asker = await world.person(`ann${(people += 1)}`);
    const listed = Object.entries(tools).map(([tool, does]) => ({ name: tool, writes: does === 'writes' }));
    const used = await scene({ world, server: { url: urls[name] ?? '' } }, { asker, given: { name, tools: listed } });
    const told = () => results(world, used.agent);
    const part = async () => toolParts(await used.reply()).at(-1);
    return { ...used, told, part };
  }
  const call = (server: string, tool: string, input: object = {}) => asking(calls(tool, input, server));

  test('TOOL-4, TOOL-20: what they offer is listed, and can be listed by the owner', async () => {
    for (const [server, tool] of [
      ['everything', 'get-sum'],
      ['filesystem', 'read_text_file'],
      ['memory', 'create_entities'],
      ['asks', 'order'],
    ] as const) {
      const { ann, agent } = await withServer(server, { [tool]: 'reads' });
      const [shown] = (await ann.api.getToolServers({ username: agent.username })).items;
      expect(shown).toMatchObject({ state: 'ok' });
      expect(shown?.offered?.map(({ name }) => name)).toContain(tool);
    }
  });

  test('CALL-1, CALL-7: a read runs without asking, and a write once it is allowed', async () => {
    const { answers, ask, reply, decide, told, part } = await withServer('filesystem', {
      read_text_file: 'reads',
      write_file: 'writes',
    });
    const path = join(root, 'rent.txt');
    answers(call('filesystem', 'read_text_file', { path }), { chunks: ['It is 800.'] });
    await ask();
    await world.turnsEnded();
    expect(await reply()).toMatchObject({ status: 'complete', content: 'It is 800.' });
    expect(told().at(-1)).toContain('The rent is 800.');
    const paid = { path: join(root, 'paid.txt'), content: 'Paid 800.' };
    answers(call('filesystem', 'write_file', paid), { chunks: ['Written.'] });
    await ask();
    await world.turnsEnded();
    expect(await part()).toMatchObject({ status: 'needs_approval' });
    await expect(readFile(paid.path, 'utf8')).rejects.toThrow();
    await decide('once');
    await world.turnsEnded();
    expect(await reply()).toMatchObject({ status: 'complete', content: 'Written.' });
    expect(await readFile(paid.path, 'utf8')).toBe('Paid 800.');
    answers(call('filesystem', 'read_text_file', { path: '/etc/hostname' }), { chunks: ['I may not.'] });
    await ask();
    await world.turnsEnded();
    expect(await part()).toMatchObject({ status: 'failed', output: expect.stringContaining('Access denied') });
  });

  test('CALL-7: what is remembered through a server is there in the next conversation', async () => {
    const { answers, ask, decide, told } = await withServer('memory', {
      create_entities: 'writes',
      read_graph: 'reads',
    });
    const entities = [{ name: 'Ann', entityType: 'person', observations: ['likes plums'] }];
    answers(call('memory', 'create_entities', { entities }), { chunks: ['Noted.'] });
    await ask();
    await world.turnsEnded();
    await decide('always');
    await world.turnsEnded();
    answers(call('memory', 'read_graph'), { chunks: ['Plums.'] });
    await ask();
    await world.turnsEnded();
    expect(told().at(-1)).toContain('likes plums');
  });

  test('TOOL-15, TOOL-17: results with images, structured data, links and errors', async () => {
    const { answers, ask, told, part } = await withServer('everything', {
      'get-tiny-image': 'reads',
      'get-structured-content': 'reads',
      'get-resource-links': 'reads',
      'get-resource-reference': 'reads',
      'get-sum': 'reads',
    });
    const after = async (tool: string, input: object = {}) => {
      answers(call('everything', tool, input), { chunks: ['Done.'] });
      await ask();
      await world.turnsEnded();
      return { told: told().at(-1), status: (await part())?.status };
    };
    expect(await after('get-sum', { a: 2, b: 3 })).toEqual({ told: expect.stringContaining('5'), status: 'done' });
    expect((await after('get-tiny-image')).told).toMatch(/image\/png/);
    expect((await after('get-structured-content', { location: 'Chicago' })).told).toContain('temperature');
    expect((await after('get-resource-links', { count: 2 })).told).toContain('[link to Text Resource 2: demo://');
    expect((await after('get-resource-reference', { resourceId: 1 })).told).toContain('This is a plaintext resource');
    const wrong = await after('get-sum', { a: 'two' });
    expect(wrong).toMatchObject({ status: 'failed', told: expect.stringMatching(/failed.*invalid/is) });
  });

  test('TOOL-16: a long call tells of its progress to nobody, and stops with its reply', async () => {
    const { ann, chat, answers, ask, reply, told, part } = await withServer('everything', {
      'trigger-long-running-operation': 'reads',
    });
    const long = (duration: number) => call('everything', 'trigger-long-running-operation', { duration, steps: 4 });
    answers(long(1), { chunks: ['Done.'] });
    await ask();
    await world.turnsEnded();
    expect(told().at(-1)).toContain('Long running operation completed');
    const socket = await ann.socket();
    answers(long(50), { chunks: ['Never.'] });
    await ask();
    await expect.poll(async () => (await part())?.status).toBe('running');
    await ann.api.stopRun({ chat_id: chat.id });
    await socket.event('messageComplete');
    await world.turnsEnded();
    expect(await reply()).toMatchObject({ status: 'cancelled' });
    // Failed, if it was stopped before its request left.
    expect((await part())?.status).toMatch(/^(?:unknown|failed)$/);
  });

  test('TOOL-19: a server of the era of sessions is not told that people answer questions', async () => {
    const { ann, agent } = await withServer('everything', {});
    const [shown] = (await ann.api.getToolServers({ username: agent.username })).items;
    expect(shown?.offered?.map(({ name }) => name)).not.toContain('trigger-elicitation-request');
  });

  test('CALL-12, TOOL-19: the question of a tool is a decision, and what was filled in goes with the same call', async () => {
    const { answers, ask, reply, decisions, decide, told } = await withServer('asks', { order: 'reads' });
    answers(call('asks', 'order', { what: 'bread' }), { chunks: ['Ordered.'] });
    await ask();
    await world.turnsEnded();
    const [asked] = await decisions();
    expect(asked?.decision).toMatchObject({
      kind: 'input',
      private: true,
      form: [
        { key: 'count', type: 'number', description: 'How many', required: true },
        { key: 'wrapped', type: 'boolean', default: 'false', required: false },
      ],
    });
    await decide('submit', 0, { count: 3, wrapped: true });
    await world.turnsEnded();
    expect(await reply()).toMatchObject({ status: 'complete', content: 'Ordered.' });
    expect(told().at(-1)).toContain('3 bread, wrapped');
  });
});

/** A server of revision 2026-07-28, made with the library of the protocol's authors, whose tool asks before it runs. */
async function asks(load: (name: string) => Promise<Anything>) {
  const { McpServer, createMcpHandler, inputRequired, acceptedContent } = await load('@modelcontextprotocol/server');
  const { z } = await load('zod');
  const form = z.object({ count: z.number().int().min(1).describe('How many'), wrapped: z.boolean().default(false) });
  const handler = createMcpHandler(() => {
    const made = new McpServer({ name: 'shop', version: '1.0.0' });
    const inputSchema = z.object({ what: z.string() });
    const run = ({ what }: { what: string }, ctx: Anything) => {
      const given = acceptedContent(ctx.mcpReq.inputResponses, 'size', form);
      if (given === undefined)
        return inputRequired({
          inputRequests: { size: inputRequired.elicit({ message: `How much ${what}?`, requestedSchema: form }) },
        });
      const words = `${given.count} ${what}${given.wrapped ? ', wrapped' : ''}`;
      return { content: [{ type: 'text', text: words }] };
    };
    made.registerTool('order', { description: 'Orders something.', inputSchema }, run);
    return made;
  });
  const server = createServer((request, response) => {
    const answer = async (): Promise<void> => {
      const headers = new Headers(
        Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]),
      );
      const body = request.method === 'POST' ? await text(request) : undefined;
      const answered: Response = await handler.fetch(
        new Request(`http://127.0.0.1${request.url ?? ''}`, {
          method: request.method ?? 'GET',
          headers,
          ...(body !== undefined && { body }),
        }),
      );
      response.writeHead(answered.status, Object.fromEntries(answered.headers));
      response.end(await answered.text());
    };
    answer().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on TCP
  const origin = `http://127.0.0.1:${port}`;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { origin, url: `${origin}/mcp`, close };
}
