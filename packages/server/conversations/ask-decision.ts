import { hash } from 'node:crypto';
import type { Input, Message } from '@parley/protocol';
import { requireChatToSend } from '../access/chats.ts';
import type { UnitCall } from '../commits/unit-call.ts';
import { invalid } from '../core/errors.ts';
import type { RawJson } from '../core/json.ts';
import { assertQuotaHolds } from '../files/storage-quota.ts';
import { createDecision, type Decider } from '../messages/decisions/create-decision.ts';
import { takesPart } from '../messages/takes-part.ts';
import { optionsOf } from '../rules/decisions.ts';
import { accountsByNames } from '../store/accounts.ts';
import { type ChatToSend, isParticipant } from '../store/chats.ts';
import { checkMessage, sentBefore, storedNow } from './send-message.ts';

type AskDecision = Input<'askDecision'>;

/** Stores a question of the caller, for people to decide (DECIDE-1). */
export async function askDecision(call: UnitCall, input: AskDecision): Promise<RawJson<Message>> {
  const { caller, now } = call;
  const chat = await requireChatToSend(call, input.chat_id, input.client_msg_id);
  const digest = input.client_msg_id === undefined ? null : payloadDigest(input);
  const sent = await sentBefore(call, chat, input.client_msg_id, digest);
  if (sent) return sent;
  if (!input.options && !input.form) throw invalid('options', 'or a form is required');
  const deciders = await decidersOf(call, chat, input);
  const { timeline, quoted } = await checkMessage(call, chat, { ...input, attachments: undefined });
  const stored = await storedNow(call, chat);
  const { message } = await createDecision(call, {
    chat,
    timeline,
    sender: caller,
    kind: 'question',
    text: input.text,
    options: optionsOf(input.options),
    form: input.form,
    deciders,
    isPrivate: input.private === true,
    expiresAt: input.expires_in === undefined ? undefined : now + input.expires_in * 1_000,
    quoted,
    clientMsgId: input.client_msg_id,
    digest,
    assertFits: (bytes) => assertQuotaHolds(stored, bytes, call.settings),
  });
  if (chat.was_added === 1) await takesPart(call, chat);
  if (caller.kind === 'human') call.intend({ type: 'clearTyping', chatKey: chat.key, accountKey: caller.key });
  return message;
}

/** Who may decide; 400 for accounts that are no people of the conversation (DECIDE-4). */
async function decidersOf(
  { tx }: UnitCall,
  chat: ChatToSend,
  { deciders = 'anyone', private: isPrivate }: AskDecision,
): Promise<'anyone' | 'admins' | Decider[]> {
  if (typeof deciders === 'string') {
    if (isPrivate) throw invalid('private', 'needs a list of usernames as deciders');
    if (deciders === 'admins' && chat.kind === 'direct') throw invalid('deciders', 'a direct chat has no admins');
    return deciders;
  }
  const names = [...new Set(deciders)];
  const accounts = new Map((await tx.list(accountsByNames, names)).map((row) => [row.username, row]));
  const found: Decider[] = [];
  for (const name of names) {
    const account = accounts.get(name);
    const isPerson = account?.kind === 'human' && account.deleted_at === null;
    if (!account || !isPerson || !(await tx.get(isParticipant, chat.key, account.key)))
      throw invalid('deciders', 'names an account that is no person of this conversation');
    found.push(account);
  }
  return found;
}

/** Digest of the payload: a retry must have the same (MSG-4). */
function payloadDigest(input: AskDecision): Uint8Array {
  const { chat_id: _chat, client_msg_id: _id, ...payload } = input;
  return hash(
    'sha256',
    JSON.stringify(['decision', Object.entries(payload).toSorted(([one], [other]) => (one < other ? -1 : 1))]),
    'buffer',
  );
}
