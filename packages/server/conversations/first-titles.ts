// The title of a separate chat that repeats a question, or that a model has made of one and its reply, goes with them
// (TITLE-9, TITLE-10).
import type { UnitCall } from '../commits/unit-call.ts';
import { titleOfQuestion } from '../rules/chat-titles.ts';
import { accountByKey } from '../store/accounts.ts';
import { type ChatRow, dropTitle, retitle } from '../store/chats.ts';
import { messageByKey, type MessageRow, recordOf } from '../store/messages.ts';
import { oldestOfHumans } from '../store/timelines.ts';
import { announce } from './announce.ts';

/** Call it once the messages are deleted. */
export async function dropTitleOf(call: UnitCall, chat: ChatRow, deleted: readonly MessageRow[]): Promise<void> {
  const gone = new Set(deleted.map(({ key }) => key));
  if (chat.title_question_key !== null && gone.has(chat.title_question_key)) return renew(call, chat, null);
  if (chat.title_reply_key !== null && gone.has(chat.title_reply_key)) return renewFromQuestion(call, chat);
  if (await gaveTitle(call, chat, deleted)) await renew(call, chat, null);
}

/** Call it once the message is edited. `former`: the message with the text that it had. */
export async function renewFirstTitle(
  call: UnitCall,
  chat: ChatRow,
  { former, text }: { former: MessageRow; text: string },
): Promise<void> {
  const { title_question_key: questionKey, title_reply_key: replyKey } = chat;
  if (former.key === questionKey || former.key === replyKey) return renewFromQuestion(call, chat);
  if (await gaveTitle(call, chat, [former])) await renew(call, chat, titleOfQuestion(text));
}

/** The question that a model has made a title of names the chat as before. */
async function renewFromQuestion(call: UnitCall, chat: ChatRow): Promise<void> {
  const { title_question_key: key } = chat;
  const question = key === null ? undefined : await call.tx.get(messageByKey, key);
  await renew(call, chat, question ? titleOfQuestion(recordOf(question).content) : null);
}

/** Whether a chat has its title from one of these messages, the oldest one with this first line. */
async function gaveTitle({ tx }: UnitCall, chat: ChatRow, rows: readonly MessageRow[]): Promise<boolean> {
  if (chat.titled_by !== 'question' && chat.titled_by !== 'asked') return false;
  const isTitle = ({ record }: Pick<MessageRow, 'record'>): boolean =>
    titleOfQuestion(recordOf({ record }).content) === chat.title;
  let oldest = Infinity;
  for (const row of rows)
    if (row.key < oldest && isTitle(row) && (await tx.get(accountByKey, row.sender_key))?.kind === 'human')
      oldest = row.key;
  return oldest !== Infinity && !(await tx.all(oldestOfHumans, chat.key, oldest)).some(isTitle);
}

/** An answer of the model that is under way is dropped, and it may be asked again. */
async function renew(call: UnitCall, chat: ChatRow, title: string | null): Promise<void> {
  if (title === null) await call.tx.run(dropTitle, chat.key);
  else await call.tx.run(retitle, chat.key, title);
  if (title !== chat.title) announce(call, chat, { title });
}
