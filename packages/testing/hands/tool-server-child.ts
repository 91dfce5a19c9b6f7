// A server of tools as a process of its own, which is killed at any moment. It writes each execution into a file at the
// moment at which the tool does its work, as a bank that pays would: what the file has was carried out.
import { appendFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { type FakeTool, startToolServer } from '../tools/fake-tool-server.ts';
import type { TaskCall } from './tasks.ts';

const { TOOL_PORT = '0', EXECUTIONS = '', ERA = '' } = process.env;

const work: FakeTool['run'] = async (given, { tool, callId }) => {
  const { order, beforeMs, afterMs, fails } = given as unknown as TaskCall; // as the model of the test writes them
  await pause(beforeMs);
  appendFileSync(EXECUTIONS, `${JSON.stringify({ order, callId, tool, fails })}\n`);
  await pause(afterMs);
  if (fails) throw new Error(`${tool} ${order} has no money`);
  return `${tool} ${order}`;
};

const server = await startToolServer(
  { peek: { annotations: { openWorldHint: false }, run: work }, pay: { run: work } },
  Number(TOOL_PORT),
);
server.era = ERA === 'stateless' ? 'stateless' : 'sessions';
process.stdout.write(`${server.origin}\n`);
