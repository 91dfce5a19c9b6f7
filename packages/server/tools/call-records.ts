import type { Decision, ToolCall, ToolGrant } from '@parley/protocol';
import { idText } from '../core/ids.ts';
import { statusOfCall } from '../rules/call-results.ts';
import type { ShownCallRow, ShownGrantRow } from '../store/shown-calls.ts';
import type { PinnedTool } from './definitions.ts';
import { hostOf } from './server-views.ts';

const time = (ms: number): string => new Date(ms).toISOString();

/** How long people see calls (CALL-18). */
export const CALLS_SHOWN_MS = 90 * 86_400_000;

/**
 * A call for the account that sees it. The owner of an agent, whose account was used, learns that it was; how it was
 * asked about, and who reads its result, are between the asker and those people (CALL-18).
 */
export function callRecord(row: ShownCallRow, viewerKey: number): ToolCall {
  const { title, sent_at: sentAt, ended_at: endedAt, message_id: messageId, chat_id: chatId } = row;
  return {
    call_id: idText(row.id),
    agent: { username: row.agent, kind: 'agent', display_name: row.agent_name },
    asker: { username: row.asker, kind: 'human', display_name: row.asker_name },
    server: row.server,
    // The service's own tools are on no other host.
    host: row.host === '' ? row.server : row.host,
    tool: row.tool,
    ...(title !== null && { title }),
    as: row.identity,
    writes: row.writes === 1,
    status: statusOfCall(row.state),
    asked_at: time(row.created_at),
    ...(sentAt !== null && { sent_at: time(sentAt) }),
    ...(endedAt !== null && { ended_at: time(endedAt) }),
    ...(messageId && chatId && { conversation_id: idText(chatId), message_id: idText(messageId) }),
    ...(row.human_key === viewerKey && decisionAbout(row)),
  };
}

/** What the asker was shown, and what was answered; nothing if nobody was asked, or the question is deleted. */
function decisionAbout({ decision }: ShownCallRow): Partial<ToolCall> {
  const stored = JSON.parse(decision ?? '{}') as Partial<Decision>; // as createDecision stored it, or emptied
  const { decided_by, decided_at, option, call } = stored;
  return {
    ...(decided_by !== undefined && { decided_by }),
    ...(decided_at !== undefined && { decided_at }),
    ...(option !== undefined && { option }),
    ...(call && { reads_to: call.reads_to, ...(call.readers !== undefined && { readers: call.readers }) }),
  };
}

export function grantRecord(row: ShownGrantRow): ToolGrant {
  const { url, definition, chat_id: chatId, used_at: usedAt } = row;
  const title = definition === null ? undefined : (JSON.parse(definition) as PinnedTool).title; // as it was pinned
  return {
    grant_id: idText(row.id),
    agent: { username: row.agent, kind: 'agent', display_name: row.agent_name },
    server: row.server,
    ...(url !== null && { host: hostOf(url) }),
    tool: row.tool,
    ...(title !== undefined && { title }),
    where: row.chat_key === 0 ? 'always' : 'chat',
    ...(chatId && { conversation_id: idText(chatId) }),
    granted_at: time(row.created_at),
    ...(usedAt !== null && { used_at: time(usedAt) }),
  };
}
