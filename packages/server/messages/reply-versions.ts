// The versions of replies that were regenerated: which of them is current, and what clients are sent (REGEN-1).
import type { EventParams, Versions } from '@parley/protocol';
import type { UnitCall } from '../commits/unit-call.ts';
import { chatScope } from '../core/event-kinds.ts';
import { idText } from '../core/ids.ts';
import { nearestVersion } from '../rules/nearest-version.ts';
import { mark, type MessageRow, recordOf } from '../store/messages.ts';
import {
  dropVersions,
  putVersions,
  repliesOf,
  replacedBy,
  setMarks,
  type VersionRow,
} from '../store/reply-versions.ts';
import type { Awaitable } from '../store/sql.ts';
import { dropSummariesOf } from '../store/summaries.ts';
import { turnOfReply, type TurnRow } from '../store/turns.ts';

type Written = Pick<UnitCall, 'tx'>;
/** The agent and the message that it replies to. */
type Answered = Pick<TurnRow, 'message_key' | 'agent_key'>;

/** What a unit announces once it has changed the versions of a reply. */
export interface VersionsChange {
  chatKey: number;
  params: EventParams<'versionsChanged'>;
}

const isCurrent = ({ marks }: Pick<VersionRow, 'marks'>): boolean => (marks & mark.replaced) === 0;

/** The versions that a reply has; one if it was never regenerated. */
export const versionsOfReply = (
  { tx }: Written,
  { message_key, agent_key }: Answered,
): Awaitable<readonly VersionRow[]> => tx.all(repliesOf, message_key, agent_key);

/** A new version is current from its start (REGEN-2). */
export async function beginVersion(
  call: Written,
  former: readonly VersionRow[],
  begun: MessageRow,
): Promise<VersionsChange> {
  const replaced = former.findLast(isCurrent);
  return write(call, begun, [...former, begun], begun.key, replaced?.key);
}

/** Makes a version current for everyone; undefined if it was (REGEN-3). */
export async function makeCurrent(
  call: Written,
  version: MessageRow,
  turn: Answered,
): Promise<VersionsChange | undefined> {
  if (isCurrent(version)) return undefined;
  return write(call, version, await versionsOfReply(call, turn), version.key);
}

/** Makes the version current that a failed one has replaced; undefined if nothing changes (REGEN-2). */
export async function giveWay(call: Written, failed: MessageRow): Promise<VersionsChange | undefined> {
  if ((failed.marks & mark.versions) === 0 || !isCurrent(failed)) return undefined;
  const turn = await call.tx.get(turnOfReply, failed.key);
  if (!turn) return undefined;
  const versions = await versionsOfReply(call, turn);
  const next = await replacedVersion(call, versions, failed.key);
  if (!next || next.status === 'failed') return undefined;
  return write(call, failed, versions, next.key);
}

/** Takes deleted messages out of the versions of their replies (REGEN-4). */
export async function leaveVersions(call: Written, deleted: readonly MessageRow[]): Promise<VersionsChange[]> {
  const replies = new Map<string, { turn: TurnRow; gone: MessageRow[] }>();
  for (const row of deleted) {
    const turn = row.marks & mark.versions ? await call.tx.get(turnOfReply, row.key) : undefined;
    if (!turn) continue;
    const name = `${turn.message_key} ${turn.agent_key}`;
    replies.set(name, { turn, gone: [...(replies.get(name)?.gone ?? []), row] });
  }
  const changes: VersionsChange[] = [];
  for (const { turn, gone } of replies.values()) {
    const left = await versionsOfReply(call, turn);
    const wasCurrent = gone.find(isCurrent);
    const next = !wasCurrent
      ? left.find(isCurrent)
      : wasCurrent.status === 'streaming'
        ? await replacedVersion(call, left, wasCurrent.key)
        : nearestVersion(left, wasCurrent.key);
    for (const { key } of gone) await call.tx.run(dropVersions, key);
    const [first] = gone;
    if (first && next) changes.push(await write(call, first, left, next.key));
  }
  return changes;
}

export const announceVersions = (call: Pick<UnitCall, 'emit'>, { chatKey, params }: VersionsChange): void =>
  call.emit({ scope: chatScope(chatKey), kind: 'versionsChanged', params });

/** The version that was current before `key` was begun or, if that was deleted, the nearest one. */
async function replacedVersion(
  { tx }: Written,
  versions: readonly VersionRow[],
  key: number,
): Promise<VersionRow | undefined> {
  const replaced = (await tx.get(replacedBy, key))?.replaced_key;
  return versions.find((one) => one.key === replaced) ?? nearestVersion(versions, key);
}

/**
 * Stores which versions a reply has, and which one is current. `sibling`: any of them. Deletes the summaries that have
 * another one (SUMMARY-8).
 */
async function write(
  { tx }: Written,
  sibling: MessageRow,
  versions: readonly VersionRow[],
  current: number,
  replaced: number | null = null,
): Promise<VersionsChange> {
  const ids = versions.map(({ id }) => idText(id));
  const shown = versions.find(({ key }) => key === current);
  if (!shown) throw new Error('the current version is one of the versions');
  const value: Versions = { ids, current: idText(shown.id) };
  const isAlone = versions.length === 1;
  const { chat_key, channel_key, thread_key } = sibling;
  for (const version of versions) {
    const { key } = version;
    if (isCurrent(version) !== (key === current)) await tx.run(dropSummariesOf, chat_key, channel_key, thread_key, key);
    const marks = isAlone ? 0 : key === current ? mark.versions : mark.versions | mark.replaced;
    await tx.run(setMarks, key, mark.versions | mark.replaced, marks);
    if (isAlone) await tx.run(dropVersions, key);
    else await tx.run(putVersions, key, JSON.stringify(value), key === current ? replaced : null);
  }
  return { chatKey: chat_key, params: { conversation_id: recordOf(sibling).conversation_id, ...value } };
}
