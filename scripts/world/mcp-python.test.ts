import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createWorld, type World } from '@parley/testing';
import { needs } from '@parley/testing/programs/needs.ts';
import { use } from '@parley/testing/programs/programs.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asking, calls, results, scene, toolParts } from '../../packages/server/test/hands/hands-stage.ts';
import { fromNpm, fromPyPI, PATIENCE_MS } from './installed.ts';
import { proxied, toolVersions } from './mcp-programs.ts';

describe('servers of tools in Python, used by an agent', needs('bash', 'git', 'python'), () => {
  const opened = new AsyncDisposableStack();
  let world: World;
  let repository: string;
  let urls: { time: string; git: string };
  beforeAll(async () => {
    const versions = { 'mcp-server-time': '2026.10.19', 'mcp-server-git': '2026.10.19' };
    const { python, folder: pythonFolder } = opened.use(await fromPyPI(versions));
    const { folder } = opened.use(await fromNpm({ 'mcp-proxy': toolVersions['mcp-proxy'] }));
    repository = join(pythonFolder, 'repository');
    await mkdir(repository);
    const git = (...args: string[]) => promisify(execFile)(use('git'), ['-C', repository, ...args]);
    await git('init', '--quiet', '--initial-branch=main');
    await git('config', 'user.name', 'Ann');
    await git('config', 'user.email', 'ann@example.com');
    await writeFile(join(repository, 'plan.txt'), 'Museum at 10.\n');
    const path = process.env['PATH'] ?? '';
    const zone = ['--local-timezone', 'Europe/Rome'];
    const time = opened.use(await proxied(folder, [python, '-m', 'mcp_server_time', ...zone], path));
    const gits = opened.use(await proxied(folder, [python, '-m', 'mcp_server_git', '--repository', repository], path));
    urls = { time: time.url, git: gits.url };
    world = opened.use(await createWorld({ nodes: 0, env: { TOOL_ENDPOINTS: `${time.origin},${gits.origin}` } }));
  }, PATIENCE_MS);
  afterAll(() => opened.disposeAsync());

  test('CALL-1, TOOL-15: the server of times answers, and refuses a zone that does not exist', async () => {
    const asker = await world.person('ann');
    const given = { name: 'time', tools: [{ name: 'convert_time', writes: false }] };
    const { agent, answers, ask, reply } = await scene({ world, server: { url: urls.time } }, { asker, given });
    const convert = (target_timezone: string) =>
      asking(calls('convert_time', { source_timezone: 'Europe/Rome', time: '12:00', target_timezone }, 'time'));
    answers(convert('Asia/Tokyo'), { chunks: ['In the evening.'] });
    await ask();
    await world.turnsEnded();
    expect(await reply()).toMatchObject({ status: 'complete', content: 'In the evening.' });
    expect(results(world, agent).at(-1)).toMatch(/T(?:19|20):00:00\+09:00/);
    answers(convert('Europe/Atlantis'), { chunks: ['There is no such zone.'] });
    await ask();
    await world.turnsEnded();
    expect(toolParts(await reply()).at(-1)).toMatchObject({ status: 'failed' });
  });

  test('CALL-7: the server of git reads without asking, and commits once it is allowed', async () => {
    const asker = await world.person('ben');
    const names = ['git_status', 'git_add', 'git_commit', 'git_log'];
    const tools = names.map((name) => ({ name, writes: !['git_status', 'git_log'].includes(name) }));
    const { agent, answers, ask, reply, decide } = await scene(
      { world, server: { url: urls.git } },
      { asker, given: { name: 'git', tools } },
    );
    const repo_path = repository;
    const told = () => results(world, agent).at(-1);
    answers(asking(calls('git_status', { repo_path }, 'git')), { chunks: ['One new file.'] });
    await ask();
    await world.turnsEnded();
    expect(told()).toContain('plan.txt');
    answers(
      asking(calls('git_add', { repo_path, files: ['plan.txt'] }, 'git')),
      asking(calls('git_commit', { repo_path, message: 'Plan the day' }, 'git')),
      asking(calls('git_log', { repo_path, max_count: 1 }, 'git')),
      { chunks: ['Committed.'] },
    );
    await ask();
    await world.turnsEnded();
    await decide('once');
    await world.turnsEnded();
    await decide('once');
    await world.turnsEnded();
    expect(await reply()).toMatchObject({ status: 'complete', content: 'Committed.' });
    expect(told()).toContain('Plan the day');
  });
});
