// For tests: an agent of the Agent Client Protocol that does each thing on command. `--load` loads sessions, `--hang` never
// answers, `--exit` ends at once.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { Readable, Writable } from 'node:stream';
import {
  agent,
  type AgentContext,
  methods,
  ndJsonStream,
  type RequestPermissionResponse,
  type SessionUpdate,
} from '@agentclientprotocol/sdk';

const has = (flag: string): boolean => process.argv.includes(flag);
const folder = process.cwd();
/** What a loaded session remembers. */
const memory = join(folder, 'remembered.txt');
let stop = Promise.withResolvers<void>();
const write = (text: string | Buffer) =>
  new Promise<void>((resolve) => void process.stdout.write(text, () => resolve()));

if (has('--exit')) {
  process.stderr.write('no licence\n');
  process.exit(3);
}

/** `write NAME TEXT`: asks, and writes the file through the client if it may. */
async function writeFile(client: AgentContext, sessionId: string, words: string): Promise<string> {
  const [name = '', ...rest] = words.split(' ');
  const path = join(folder, name);
  const content = rest.join(' ');
  writeFileSync(memory, words);
  const toolCall = {
    toolCallId: `write ${name}`,
    title: `Write ${name}`,
    kind: 'edit' as const,
    status: 'pending' as const,
    rawInput: { path: name, content },
    content: [{ type: 'diff' as const, path: name, oldText: null, newText: content }],
  };
  await client.notify(methods.client.session.update, {
    sessionId,
    update: { sessionUpdate: 'tool_call', ...toolCall },
  });
  const { outcome } = await client.request<RequestPermissionResponse>(methods.client.session.requestPermission, {
    sessionId,
    toolCall,
    options: [
      { optionId: 'always', name: 'Always allow', kind: 'allow_always' },
      { optionId: 'once', name: 'Allow', kind: 'allow_once' },
      { optionId: 'no', name: 'Reject', kind: 'reject_once' },
    ],
  });
  const isAllowed = outcome.outcome === 'selected' && outcome.optionId !== 'no';
  if (isAllowed) await client.request(methods.client.fs.writeTextFile, { sessionId, path, content });
  const status = isAllowed ? ('completed' as const) : ('failed' as const);
  const update = { sessionUpdate: 'tool_call_update' as const, toolCallId: toolCall.toolCallId, status };
  await client.notify(methods.client.session.update, { sessionId, update });
  return outcome.outcome === 'selected' ? `chosen: ${outcome.optionId}` : outcome.outcome;
}

async function act(client: AgentContext, sessionId: string, text: string): Promise<void> {
  const update = (given: SessionUpdate) => client.notify(methods.client.session.update, { sessionId, update: given });
  const say = (said: string) => update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: said } });
  const [, order = '', words = ''] = /(?:^|: )(\w+)(?: ([^]*))?$/.exec(text) ?? [];
  if (text.startsWith('You were interrupted')) {
    await say(await writeFile(client, sessionId, readFileSync(memory, 'utf8')));
    return;
  }
  switch (order) {
    case 'write':
      return say(await writeFile(client, sessionId, words));
    case 'read':
      return say(
        await client
          .request(methods.client.fs.readTextFile, {
            sessionId,
            path: words.startsWith('/') ? words : join(folder, words),
          })
          .then(({ content }) => `read: ${content}`)
          .catch(() => 'not read'),
      );
    case 'show': {
      await update({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'I think.' } });
      const entries = [
        { content: 'first', priority: 'high' as const, status: 'completed' as const },
        { content: 'second', priority: 'low' as const, status: 'in_progress' as const },
      ];
      await update({ sessionUpdate: 'plan', entries });
      const call = { toolCallId: 'a', title: 'Look around', kind: 'search' as const, rawInput: { query: 'x' } };
      await update({ sessionUpdate: 'tool_call', status: 'in_progress', ...call });
      await update({
        sessionUpdate: 'tool_call_update',
        toolCallId: 'a',
        status: 'completed',
        rawOutput: { found: 1 },
      });
      const resource = { uri: 'file:///notes.txt', mimeType: 'text/plain', text: 'a note' };
      await update({ sessionUpdate: 'agent_message_chunk', content: { type: 'resource', resource } });
      return say('Shown.');
    }
    case 'hang':
      await say('I hang. ');
      return stop.promise;
    case 'stubborn':
      await say('I do not stop. ');
      return new Promise<void>(() => {});
    case 'cling': {
      // It and a program that it starts stay whatever they are told, as long as they can: they hold connections to a port.
      const hold = `process.on('SIGTERM', () => {}); require('node:net').connect(${Number(words)}, '127.0.0.1');`;
      spawn(process.execPath, ['-e', hold], { stdio: 'ignore' });
      process.on('SIGTERM', () => {});
      process.stdin.on('end', () => {}).on('error', () => {});
      process.stdout.on('error', () => {});
      connect(Number(words), '127.0.0.1');
      await say('I cling. ');
      return new Promise<void>(() => {});
    }
    case 'crash':
      await say('So far. ');
      process.stderr.write('out of paper\n');
      return process.exit(3);
    case 'flood':
      for (;;) await say('x'.repeat(1024 * 1024));
    case 'noise':
      for (;;) await write(`${'{'.repeat(256 * 1024)}\n`);
    case 'line':
      await write(Buffer.alloc(20 * 1024 * 1024, 'x'));
      return undefined;
    case 'garbage':
      await write('this is no JSON\n[]\n42\n{"jsonrpc":"2.0","method":"session/update","params":7}\n');
      return say('After garbage.');
    case 'environment':
      return say(Object.keys(process.env).toSorted().join(' '));
    default:
      return say(`${existsSync(memory) ? 'again' : 'first'}: ${text}`);
  }
}

agent()
  .onRequest(methods.agent.initialize, async () => {
    if (has('--hang')) await new Promise<void>(() => {});
    return {
      protocolVersion: 1,
      agentCapabilities: { loadSession: has('--load'), promptCapabilities: { embeddedContext: true } },
    };
  })
  .onRequest(methods.agent.session.new, () => ({ sessionId: `session-${process.pid}` }))
  .onRequest(methods.agent.session.load, () => ({}))
  .onNotification(methods.agent.session.cancel, () => stop.resolve())
  .onRequest(methods.agent.session.prompt, async ({ params: { prompt, sessionId }, client }) => {
    stop = Promise.withResolvers();
    const [first] = prompt;
    const files = prompt.flatMap((block) =>
      block.type === 'resource' && 'text' in block.resource ? [block.resource.text] : [],
    );
    if (files.length > 0) {
      const content = { type: 'text' as const, text: `files: ${files.join()}` };
      const update = { sessionUpdate: 'agent_message_chunk' as const, content };
      await client.notify(methods.client.session.update, { sessionId, update });
      return { stopReason: 'end_turn' };
    }
    await act(client, sessionId, first?.type === 'text' ? first.text : '');
    // As agents do, also after a cancel.
    return { stopReason: 'end_turn' };
  })
  .connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>));
