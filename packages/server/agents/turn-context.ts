import type { AgentContext } from '@parley/protocol';
import { actText } from '../rules/component-actions.ts';
import { contextNotice } from '../rules/context-notice.ts';
import { type ContextEntry, entriesOf, leavesOut, selectMessages } from '../rules/conversation-context.ts';
import { accountByKey, type AccountRow, accountsByNames } from '../store/accounts.ts';
import { chatByKey } from '../store/chats.ts';
import { recordOf } from '../store/messages.ts';
import type { Sql } from '../store/sql.ts';
import { contextRow, contextRows } from '../store/timelines.ts';
import type { TurnRow } from '../store/turns.ts';
import { type FilePorts, type FilesOfRequest, noFiles, readFiles, type TakenFiles } from './read-files.ts';

interface Asked {
  turn: TurnRow;
  agent: AccountRow;
  context: AgentContext;
  /** Null if the model gets only the names of files. */
  takes: TakenFiles | null;
  signal: AbortSignal;
}

/** What the model of a turn receives of the conversation, with its files; `notice` says if that is not all. */
export async function turnContext(
  ports: FilePorts,
  { turn, agent, context, takes, signal }: Asked,
): Promise<{ messages: ContextEntry[]; files: FilesOfRequest; notice: string | undefined }> {
  const chat = await ports.read.get(chatByKey, turn.chat_key);
  const options = {
    maxMessages: context.messages,
    maxCharacters: context.characters,
    agentUsername: agent.username,
    isGroup: chat?.kind === 'group',
  };
  // One more than may be sent shows whether older ones are left out.
  const messages = await messagesOf(ports.read, turn, context.messages + 1);
  const selected = selectMessages(messages, options);
  const ownReplies = selected.filter(({ role }) => role === 'assistant').map(({ message }) => message);
  const notice = contextNotice({
    sent: selected.length,
    isCut: leavesOut(messages, selected, options),
    limits: context,
    ownParts: ownReplies.map(({ parts }) => parts),
  });
  const files = takes ? await readFiles(ports, selected, { turn, agent, takes, signal }) : noFiles;
  return { messages: entriesOf(selected, files.contents), files, notice };
}

/** The newest messages of the turn's timeline up to the one that fired it, oldest first (CONTEXT-10). */
async function messagesOf(read: Sql, turn: TurnRow, maxMessages: number) {
  const place = [turn.chat_key, turn.channel_key, turn.thread_key, turn.message_key] as const;
  const rows = (await read.all(contextRows, ...place, maxMessages)).toReversed();
  // A thread is about its root, which is not in the thread's own timeline.
  const root = turn.thread_key === 0 ? undefined : await read.get(contextRow, turn.thread_key);
  if (root) rows.unshift(root);
  const records = rows.map((row) => recordOf(row));
  const senders = new Set([
    ...rows.map(({ sender_key }) => sender_key),
    ...records.flatMap(({ forwarded_from }) => forwarded_from?.sender ?? []),
  ]);
  const accounts = new Map((await read.gather(accountByKey, senders)).map((account) => [account.key, account]));
  const actors = new Set(records.flatMap(({ component_action }) => component_action?.username ?? []));
  const pressers = new Map(
    (await read.list(accountsByNames, [...actors])).map((account) => [account.username, account]),
  );
  return rows.map((row, at) => {
    const { key } = row;
    const sender = accounts.get(row.sender_key);
    const { content, attachments, forwarded_from, component_action: act, parts } = records[at] ?? recordOf(row);
    if (act) {
      const senderDisplayName = pressers.get(act.username)?.display_name ?? act.username;
      return { key, senderUsername: act.username, senderDisplayName, content: '', act: actText(act), parts };
    }
    const first = forwarded_from && accounts.get(forwarded_from.sender);
    return {
      key,
      senderUsername: sender?.username ?? '',
      senderDisplayName: sender?.display_name ?? '',
      content,
      attachments,
      parts,
      forwardedFrom: first && { username: first.username, displayName: first.display_name },
    };
  });
}
