import { limits, type Price, type TokenUsage } from '@parley/protocol';
import { account, chat, household } from '../commits/lock-names.ts';
import type { Refused } from '../commits/effects.ts';
import type { UnitCall } from '../commits/unit-call.ts';
import { internalUnit } from '../commits/unit-locks.ts';
import { conflict, forbidden, invalid, notFound, ServiceError } from '../core/errors.ts';
import { idBytes, idText } from '../core/ids.ts';
import { assertRoomToSay, fitsQuota } from '../files/storage-quota.ts';
import { changeRecord } from '../messages/change-record.ts';
import { obstacleTo } from '../messages/may-write.ts';
import { isGone } from '../messages/visibility.ts';
import { isVoiceMessage, toTranscribe, transcriptLimits, type VoiceMessage } from '../rules/transcripts.ts';
import { accountByKey, turnOwner } from '../store/accounts.ts';
import { ownerConfig } from '../store/bot-config.ts';
import { agentParticipants, chatByKey, type ChatRow, isParticipant, type ParticipantRow } from '../store/chats.ts';
import { fileInMessage } from '../store/files.ts';
import { messageById, messageByKey, type MessageRow, recordOf, visibleStatus } from '../store/messages.ts';
import { reindexMessage } from '../store/search.ts';
import type { Sql } from '../store/sql.ts';
import {
  beginTranscription,
  countTranscriptions,
  dropExpiredTranscriptions,
  endTranscription,
} from '../store/transcriptions.ts';
import type { Payer } from '../rules/who-pays.ts';
import { book } from './book-usage.ts';
import { storedContext } from './load-run-config.ts';
import { claimOf, payingFor } from './owner-key.ts';

/** How long an attempt keeps others away; longer than its request may take. */
const ATTEMPT_MS = 90_000;
/** Maximum transcriptions of one human that run, on all nodes. */
const OF_ONE_HUMAN = 2;

interface Asked {
  messageId: string;
  chatId: string;
  /** Who asks for the transcript. */
  humanKey: number;
  /** The agent whose turn needs it; null: any of the conversation. */
  agentKey: number | null;
}

interface AskedOf extends Asked {
  /** The usernames of the agents that may transcribe, see `transcribers`. */
  agentNames: readonly string[];
}

/** A transcription that may begin: what the model is sent, and who pays for it. */
export interface BegunTranscript extends Omit<Asked, 'agentKey'> {
  attempt: string;
  messageKey: number;
  chatKey: number;
  agentKey: number;
  payer: Payer;
  /** The sender, in whose storage the transcript counts. */
  sender: string;
  fileId: string;
  durationMs: number;
}

/**
 * Stores a claim on the first voice message without a transcript, so that only one node asks a model for it
 * (TRANSCRIPT-4). Returns null if each voice message of the message has one.
 */
export const beginTranscript = internalUnit(
  {
    // Locks the conversation, in which the message may be deleted, the human, whose requests are counted, and the agents'
    // owners: no turn of these may reserve tokens of a budget at the same time (BUDGET-7).
    locks: ({ input }) => [chat(input.chatId), account(input.humanKey), ...input.agentNames.map(household)],
  },
  async (call: UnitCall, asked: AskedOf): Promise<BegunTranscript | null> => {
    const { tx, now } = call;
    const { messageId, humanKey } = asked;
    const row = await requireSeenMessage(call, asked);
    const { attachments } = recordOf(row);
    if (!attachments.some(isVoiceMessage)) throw invalid('message_id', 'has no voice message');
    const sound = toTranscribe(attachments);
    if (!sound) return null;
    if (sound.duration_ms > transcriptLimits.soundMs)
      throw tooLarge(`a voice message of at most ${transcriptLimits.soundMs / 60_000} minutes can be transcribed`);
    // Only the sender learns that its storage is full.
    if (row.sender_key === humanKey) await assertRoomToSay(call, humanKey, limits.transcriptBytes);
    else if (!(await fitsQuota(call, row.sender_key, limits.transcriptBytes)))
      throw forbidden('this voice message cannot be transcribed now');
    // Those that end much later were begun before the clock was set back.
    await tx.run(dropExpiredTranscriptions, row.id, humanKey, now, now + 2 * ATTEMPT_MS);
    if (((await tx.get(countTranscriptions, humanKey))?.count ?? 0) >= OF_ONE_HUMAN)
      throw new ServiceError('rate_limited', 'your other voice messages are being transcribed', { retry_after: 5 });
    const { agentKey, payer } = await requirePayer(call, asked, row, sound);
    const attempt = call.newId();
    if ((await tx.run(beginTranscription, row.id, humanKey, agentKey, attempt, now + ATTEMPT_MS)) === 0)
      throw conflict('this voice message is being transcribed');
    const sender = await tx.get(accountByKey, row.sender_key);
    if (!sender) throw new Error('a message has its sender');
    return {
      attempt: idText(attempt),
      messageId,
      chatId: asked.chatId,
      humanKey,
      messageKey: row.key,
      chatKey: row.chat_key,
      agentKey,
      payer,
      sender: sender.username,
      fileId: sound.id,
      durationMs: sound.duration_ms,
    };
  },
);

const tooLarge = (why: string): ServiceError => new ServiceError('too_large', why);

async function requireSeenMessage(call: UnitCall, { messageId, humanKey }: Asked): Promise<MessageRow> {
  const { tx } = call;
  const row = await tx.get(messageById, idBytes(messageId), humanKey);
  if (!row || (await isGone(call, row))) throw notFound('message');
  if (!(await tx.get(isParticipant, row.chat_key, humanKey)))
    throw forbidden('you do not take part in this conversation');
  if (!(await tx.get(visibleStatus, row.key, humanKey))) throw notFound('message');
  return row;
}

/** Why an agent cannot transcribe, for the caller. Like the texts of replies they name no cap (KEY-12). */
const refusals: Record<Refused | 'full', string> = {
  token_cap: 'the agent has used all the tokens that it may use this month',
  group_token_cap: 'the agent has used all the tokens that it may use in this group this month',
  asker_token_cap: 'you have used all the tokens that the owner of the agent lets you use today',
  house_token_cap: 'the agent has used all the tokens that it may use today',
  house_is_off: 'the agent is switched off: it needs a key of your own',
  storage_full: 'the owner of the agent has no storage left',
  own_key_needed: 'the agent needs a key of your own here: add one in its settings',
  full: 'the agent is still answering you: try again when it has finished',
};

/**
 * The agent that transcribes: the first of the conversation that speaks the protocol, may be sent files and whose key
 * pays for this human now, decided as for a reply (KEY-10, KEY-12). Agents on the provider's own server come first.
 */
async function requirePayer(
  call: UnitCall,
  asked: AskedOf,
  row: MessageRow,
  sound: VoiceMessage,
): Promise<{ agentKey: number; payer: Payer }> {
  const { tx } = call;
  const place = await tx.get(chatByKey, row.chat_key);
  const human = await tx.get(accountByKey, asked.humanKey);
  if (!place || !human) throw new Error('a participant has an account and a conversation');
  let refusal: ServiceError | undefined;
  for (const agent of await candidates(call, place, asked)) {
    const paying = await payingFor(tx, agent, human);
    const { account_key: key, username, parent_key, agent_provider } = agent;
    const file = await tx.get(fileInMessage, idBytes(sound.id), row.key, human.key, key);
    if (!file || paying.needs_key) continue;
    const claim = await claimOf(
      call,
      { key, username, parent_key, agent_provider },
      { human_key: human.key, chat_key: place.key },
    );
    const refused = claim === 'full' ? claim : claim.refused;
    if (claim === 'full' || refused !== null || claim.payer === null) {
      refusal ??= forbidden(refusals[refused ?? 'own_key_needed']);
      continue;
    }
    const isGuest = claim.payer === 'owner' && human.key !== parent_key;
    const { fileBytes, guestFileBytes } = transcriptLimits;
    const most = isGuest ? guestFileBytes : fileBytes;
    if (file.size <= most) return { agentKey: key, payer: claim.payer };
    refusal ??= tooLarge(`a voice message of at most ${most / 1024 ** 2} MiB can be transcribed`);
  }
  throw refusal ?? forbidden('no agent of this conversation can transcribe: it needs one of provider_b with a key');
}

/** The agents of a conversation that speak the protocol. `agentKey`: only this one; null: all. */
export async function transcribers(tx: Sql, chatKey: number, agentKey: number | null): Promise<ParticipantRow[]> {
  const agents = await tx.all(agentParticipants, chatKey);
  return agents.filter(
    ({ account_key: key, agent_provider }) =>
      agent_provider === 'provider_b' && (agentKey === null || key === agentKey),
  );
}

async function candidates(
  { tx }: UnitCall,
  place: ChatRow,
  { agentKey, agentNames }: AskedOf,
): Promise<ParticipantRow[]> {
  const found: { agent: ParticipantRow; isElsewhere: boolean }[] = [];
  for (const agent of await transcribers(tx, place.key, agentKey)) {
    const { account_key: key } = agent;
    // The owner of one that has just been added is not locked.
    if (!agentNames.includes(agent.username)) continue;
    if (await obstacleTo({ tx, caller: { key } }, place)) continue;
    const row = await tx.get(ownerConfig, key);
    if (storedContext(row).files === false) continue;
    found.push({ agent, isElsewhere: row !== undefined && row.base_url !== null });
  }
  return found.toSorted((one, other) => Number(one.isElsewhere) - Number(other.isElsewhere)).map(({ agent }) => agent);
}

/** What a request came to. */
export interface TranscriptEnd {
  /** Null if there is no transcript. */
  text: string | null;
  usage: TokenUsage | undefined;
  price: Price | undefined;
  /** See `Booking`. */
  estimatedTokens: number;
}

/**
 * Stores a transcript with its message, unless that is deleted, and books what it cost (TRANSCRIPT-5). Turns may
 * wait for what it had reserved (BUDGET-7).
 */
export const endTranscript = internalUnit(
  {
    // Locks the conversation (the message), the agent (usage), the human (the attempt) and the sender's stored bytes.
    locks: ({ input: { begun } }) => [
      chat(begun.chatId),
      account(begun.agentKey),
      account(begun.humanKey),
      household(begun.sender),
    ],
  },
  async (call: UnitCall, { begun, text, ...spent }: TranscriptEnd & { begun: BegunTranscript }): Promise<void> => {
    const { tx } = call;
    const { agentKey, chatKey, messageKey, fileId } = begun;
    const isCurrent = (await tx.run(endTranscription, idBytes(begun.messageId), idBytes(begun.attempt))) > 0;
    const asked = { human_key: begun.humanKey, payer: begun.payer };
    await book(call, { agentKey, chatKey, asked, ...spent });
    const agent = await tx.get(accountByKey, agentKey);
    if (agent) call.intend({ type: 'roomForTurns', ownerKey: turnOwner(agent) });
    const row = text !== null && isCurrent ? await tx.get(messageByKey, messageKey) : undefined;
    if (!row || row.deleted_at !== null || text === null) return;
    const former = recordOf(row);
    const sound = former.attachments.find(({ id, transcript }) => id === fileId && transcript === undefined);
    if (!sound) return;
    const attachments = former.attachments.map((one) => (one === sound ? { ...one, transcript: text } : one));
    await changeRecord(call, row, { ...former, attachments });
    await reindexMessage(tx, row.key);
  },
);
