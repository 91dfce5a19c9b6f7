// library/: the files and pages that owners give their agents: reading them, and what is stored of them. Imports the rooms
// up to files.
import { type AgentSource, firstBytes, limits } from '@parley/protocol';
import type { UnitCall } from '../commits/unit-call.ts';
import { accountScope } from '../core/event-kinds.ts';
import { idText } from '../core/ids.ts';
import { attachmentOf } from '../files/attachment.ts';
import { releaseUses } from '../files/stored-files.ts';
import { accountByKey } from '../store/accounts.ts';
import type { FileRow } from '../store/files.ts';
import { dropSource, dropSourceText, type SourceRow, sourcesOf } from '../store/sources.ts';
import { addStored } from '../store/stored-bytes.ts';

const time = (ms: number): string => new Date(ms).toISOString();

/** How a reader may see a source: its owner, somebody who may open what is open, or who may open nothing. */
export type SourceReader = 'owner' | 'user' | 'nobody';

/** A source as a reader may see it (KNOW-4). */
export function sourceRecord(row: SourceRow, file: FileRow | undefined, reader: SourceReader): AgentSource {
  const mayOpen = reader === 'owner' || (reader === 'user' && row.is_open === 1);
  return {
    id: idText(row.id),
    title: row.title,
    kind: row.url === null ? 'file' : 'page',
    open: row.is_open === 1,
    ...(mayOpen && file && { file: attachmentOf(file) }),
    ...(mayOpen && row.url !== null && { url: row.url }),
    ...(reader === 'owner' && {
      state: stateOf(row),
      ...(row.failure !== null && row.is_waiting === 0 && { failure: row.failure }),
      ...(row.is_cut === 1 && { cut: true }),
      bytes: row.bytes,
      added_at: time(row.added_at),
      ...(row.read_at !== null && { read_at: time(row.read_at) }),
    }),
  };
}

const stateOf = ({ is_waiting, bytes }: SourceRow): NonNullable<AgentSource['state']> =>
  is_waiting === 1 ? 'reading' : bytes > 0 ? 'ready' : 'failed';

/** A title that the service takes from elsewhere: a line without signs that hide or turn text. */
export function titleOf(text: string): string {
  const line = text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\s]+/gu, ' ')
    .trim();
  return firstBytes(line, limits.sourceTitleBytes) || '…';
}

/** Tells the owner's devices that the library of an agent has changed (KNOW-6). */
export async function announceSources({ tx, emit }: Pick<UnitCall, 'tx' | 'emit'>, agentKey: number): Promise<void> {
  const agent = await tx.get(accountByKey, agentKey);
  if (!agent || agent.parent_key === null || agent.deleted_at !== null) return;
  emit({
    scope: accountScope(agent.parent_key),
    kind: 'agentSourcesChanged',
    params: { agent_username: agent.username },
  });
}

type Dropping = Pick<UnitCall, 'tx' | 'now' | 'intend'>;

/** Deletes a source with its text, and its file if nothing else holds it (KNOW-9). */
export async function removeSource(call: Dropping, row: SourceRow): Promise<void> {
  const { tx } = call;
  await tx.run(dropSourceText, row.key);
  await tx.run(dropSource, row.key);
  if (row.bytes > 0) await tx.run(addStored, row.agent_key, -row.bytes);
  if (row.file_key !== 0) await releaseUses(call, [row]);
}

/** Deletes the library of an agent that is deleted. */
export async function removeLibrary(call: Dropping, agentKey: number): Promise<void> {
  for (const row of await call.tx.all(sourcesOf, agentKey)) await removeSource(call, row);
}
