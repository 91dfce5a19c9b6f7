import type { AgentSource } from '@parley/protocol';
import type { Call } from '../../access/call.ts';
import { requireOwnedAgent } from '../../agents/config/configured-agent.ts';
import { assertOwner } from '../../agents/own-bot.ts';
import { requireHuman } from '../../agents/default-agent.ts';
import { invalid, notFound } from '../../core/errors.ts';
import { idBytes } from '../../core/ids.ts';
import { sourceRecord } from '../../library/sources.ts';
import { accountByKey, type AccountRow, isGuide } from '../../store/accounts.ts';
import { fileOfSource, sourceById, sourceByKey, type SourceRow } from '../../store/sources.ts';

type Asked = Pick<Call, 'tx' | 'caller'>;

/** The caller's own agent, which the service runs on a model (KNOW-2). */
export async function requireReader(call: Asked, username: string): Promise<AccountRow> {
  requireHuman(call.caller);
  const { agent } = await requireOwnedAgent(call, username);
  if (agent.agent_provider === null || isGuide(agent)) throw invalid('username', 'is no agent that has a library');
  return agent;
}

/** A source of an agent of the caller; 404 also for one of another owner. */
export async function requireOwnedSource(call: Asked, id: string): Promise<SourceRow> {
  requireHuman(call.caller);
  const row = await call.tx.get(sourceById, idBytes(id));
  const agent = row && (await call.tx.get(accountByKey, row.agent_key));
  if (!row || agent?.parent_key !== call.caller.key) throw notFound('source');
  await assertOwner(call, agent);
  return row;
}

/** The source as its owner sees it now. */
export async function ownSource({ tx }: Asked, key: number): Promise<AgentSource> {
  const row = await tx.get(sourceByKey, key);
  if (!row) throw new Error('the source was written in this unit');
  const file = row.file_key === 0 ? undefined : await tx.get(fileOfSource, row.file_key);
  return sourceRecord(row, file, 'owner');
}
