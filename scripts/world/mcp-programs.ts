import { join } from 'node:path';
import { freePort } from '@parley/testing/servers/free-port.ts';
import { started } from './started.ts';

export const toolVersions = {
  '@modelcontextprotocol/server': '2.4.0',
  '@modelcontextprotocol/server-everything': '2026.8.31',
  '@modelcontextprotocol/server-filesystem': '2026.8.31',
  '@modelcontextprotocol/server-memory': '2026.8.31',
  'mcp-proxy': '6.7.19',
  zod: '4.6.7',
};

interface ToolProgram extends AsyncDisposable {
  url: string;
  origin: string;
}

const env = '/usr/bin/env';
const at = (folder: string, name: string): string => join(folder, 'node_modules', name, 'dist/index.js');

/** A program that listens on a port of its own, as soon as it does. Its environment is empty: a tool of one of them prints it. */
async function listening(folder: string, of: (port: number) => string[]): Promise<ToolProgram> {
  const port = await freePort();
  const program = await started(env, { args: ['-i', ...of(port)], port, folder, patienceMs: 60_000 });
  const origin = `http://127.0.0.1:${port}`;
  return { origin, url: `${origin}/mcp`, [Symbol.asyncDispose]: () => program[Symbol.asyncDispose]() };
}

/** The server of the protocol's authors that has a tool of every kind. */
export const everything = (folder: string): Promise<ToolProgram> =>
  listening(folder, (port) => [
    `PORT=${port}`,
    process.execPath,
    at(folder, '@modelcontextprotocol/server-everything'),
    'streamableHttp',
  ]);

/** A server that speaks over its input and output, behind mcp-proxy. */
export const proxied = (folder: string, command: readonly string[], path = ''): Promise<ToolProgram> =>
  listening(folder, (port) => [
    `PATH=${path}`,
    process.execPath,
    join(folder, 'node_modules/mcp-proxy/dist/bin/mcp-proxy.mjs'),
    '--host',
    '127.0.0.1',
    '--port',
    String(port),
    '--',
    ...command,
  ]);

export const filesystem = (folder: string, root: string): Promise<ToolProgram> =>
  proxied(folder, [process.execPath, at(folder, '@modelcontextprotocol/server-filesystem'), root]);

export const memory = (folder: string): Promise<ToolProgram> =>
  proxied(folder, [
    env,
    `MEMORY_FILE_PATH=${join(folder, 'memory.jsonl')}`,
    process.execPath,
    at(folder, '@modelcontextprotocol/server-memory'),
  ]);
