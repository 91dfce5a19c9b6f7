import type { AgentContext } from '@parley/protocol';
import { idText } from '../core/ids.ts';
import { contextNotice, isFullContext } from '../rules/context-notice.ts';
import { type ContextEntry, entriesOf, leavesOut, selectMessages } from '../rules/conversation-context.ts';
import { notesNote } from '../rules/notes.ts';
import type { Notice } from '../rules/reply-parts.ts';
import { isOfStrangers } from '../rules/strangers.ts';
import { summaryNote } from '../rules/summaries.ts';
import type { AccountRow } from '../store/accounts.ts';
import { chatByKey } from '../store/chats.ts';
import type { Sql } from '../store/sql.ts';
import { contextRow, contextRows } from '../store/timelines.ts';
import type { TurnRow } from '../store/turns.ts';
import { contextMessages, type KeyedMessage } from './context-messages.ts';
import { noteRecord, notePlace, notesIn } from './notes.ts';
import { type FileNeeds, type FilesOfRequest, noFiles, readFiles, type TakenFiles } from './read-files.ts';
import type { Summaries, WriteSummary } from './summaries.ts';
import type { Transcripts } from './transcripts.ts';

interface Asked {
  turn: TurnRow;
  agent: AccountRow;
  context: AgentContext;
  /** Null if the model gets only the names of files. */
  takes: TakenFiles | null;
  /** Asks the model for a summary; null if this turn makes none. */
  write: WriteSummary | null;
  /** The model is sent what the agent remembers. */
  remembers: boolean;
  signal: AbortSignal;
}

interface TurnContextNeeds extends FileNeeds {
  /** Null for an agent that has no model. */
  summaries: Summaries | null;
  /** Null for an agent that has no model. */
  transcripts: Pick<Transcripts, 'makeForTurn'> | null;
}

/** What the model of a turn receives of the conversation, with its files; `notice` says if that is not all. */
export async function turnContext(
  needs: TurnContextNeeds,
  { turn, agent, context, takes, write, remembers, signal }: Asked,
): Promise<{ messages: ContextEntry[]; files: FilesOfRequest; hasOthersFiles: boolean; notice: Notice | undefined }> {
  const chat = await needs.read.get(chatByKey, turn.chat_key);
  if (!chat) throw new Error('a turn has its conversation');
  const options = {
    maxMessages: context.messages,
    maxCharacters: context.characters,
    agentUsername: agent.username,
    isGroup: chat.kind === 'group',
  };
  const pick = async () => {
    // One more than may be sent shows whether older ones are left out.
    const messages = await messagesOf(needs.read, turn, context.messages + 1);
    const selected = selectMessages(messages, options);
    return { selected, isCut: leavesOut(messages, selected, options) };
  };
  let picked = await pick();
  if (takes && chat.kind === 'direct' && (await needs.transcripts?.makeForTurn({ turn, agent, chat }, signal)))
    picked = await pick();
  const summaries = picked.isCut && isFullContext(context) ? needs.summaries : null;
  if (summaries && write) {
    const before = oldestOf(picked.selected);
    const hasWaited = await summaries.renew({ turn, agent, chatId: idText(chat.id), before, write, signal });
    // Meanwhile messages may have been deleted.
    if (hasWaited) picked = await pick();
  }
  const { selected, isCut } = picked;
  const summary = isCut ? await summaries?.find(turn, oldestOf(selected)) : undefined;
  const ownReplies = selected.filter(({ role }) => role === 'assistant').map(({ message }) => message);
  const notice = contextNotice({
    sent: selected.length,
    isCut,
    limits: context,
    ownParts: ownReplies.map(({ parts }) => parts),
    summary,
  });
  const files = takes ? await readFiles(needs, selected, { turn, agent, takes, signal }) : noFiles;
  // Strangers may have written what stands in them (CALL-8).
  const hasOthersFiles = selected.some(
    ({ message, files: own }) =>
      isOfStrangers({ senderKey: message.senderKey, isForwarded: message.forwardedFrom !== undefined }, turn) &&
      own.some((file) => files.contents.has(file)),
  );
  const place = remembers
    ? await notePlace(needs.read, { chatKey: chat.key, agentKey: agent.key, personKey: turn.human_key })
    : undefined;
  // Read last: what was deleted meanwhile is not sent.
  const notes = place && notesNote((await notesIn(needs.read, place)).map(noteRecord));
  const before = [notes, summary && summaryNote(summary)].filter((note) => note !== undefined);
  const messages = entriesOf(selected, files.contents, before);
  return { messages, files, hasOthersFiles, notice };
}

/** The key of the oldest selected message; 0 if there is none. */
const oldestOf = (selected: readonly { message: KeyedMessage }[]): number => selected[0]?.message.key ?? 0;

/** The newest messages of the turn's timeline up to the one that fired it, oldest first (CONTEXT-10). */
async function messagesOf(read: Sql, turn: TurnRow, maxMessages: number): Promise<KeyedMessage[]> {
  const place = [turn.chat_key, turn.channel_key, turn.thread_key, turn.message_key] as const;
  const rows = (await read.all(contextRows, ...place, maxMessages)).toReversed();
  // A thread is about its root, which is not in the thread's own timeline.
  const root = turn.thread_key === 0 ? undefined : await read.get(contextRow, turn.thread_key);
  if (root) rows.unshift(root);
  return contextMessages(read, rows);
}
