import { fits, limits } from '@parley/protocol';
import { mayMentionAll } from '../rules/names-for-all.ts';
import { chatForAccount, ownChatByKey, type OwnChatRow } from '../store/chats.ts';
import { messageById } from '../store/messages.ts';
import { idBytes } from '../core/ids.ts';
import { isShort, readingOf, type TextReading } from '../rules/text-reading.ts';
import type { OpenCall } from './handler.ts';
import type { Needs } from './rooms.ts';

const mayMentionHere = (text: string): boolean => /@here/i.test(text);

/** Whether the unit that stores the text needs nothing that is read before. */
export const isReadyText = (text: string): boolean => isShort(text) && !mayMentionHere(text);

/** The text, and where it is sent or stands. */
type Written = { text: string } & ({ chat_id: string } | { message_id: string });

/**
 * Reads a long text before the unit that stores it, which would delay all other writes (ERR-14), and finds the people whom
 * `@here` means, because only the main thread knows who is online (MENTION-16).
 */
export async function readText(
  call: OpenCall,
  input: Written,
  { textReader, presence }: Needs<'textReader' | 'presence'>,
): Promise<TextReading | undefined> {
  const { caller } = call;
  const { text } = input;
  // The unit refuses a text that is too long.
  if (!caller || !fits(text, caller.kind === 'human' ? limits.humanTextBytes : limits.agentTextBytes)) return undefined;
  const reading = isShort(text) ? readingOf(text) : await textReader.read(text, caller.ownerKey);
  if (!reading.mentions.includes('here')) return reading;
  const chat = await placeOf(call, input);
  // Who may not say it causes no reading of who is online.
  if (!chat || !mayMentionAll(chat, chat.participant_count - chat.agent_count)) return reading;
  return { ...reading, here: await presence.onlineIn(chat.key, caller.key) };
}

/** The conversation, if the caller takes part in it. */
async function placeOf({ tx, caller }: OpenCall, input: Written): Promise<OwnChatRow | undefined> {
  if (!caller) return undefined;
  if ('message_id' in input) {
    const message = await tx.get(messageById, idBytes(input.message_id), caller.key);
    return message?.sender_key === caller.key ? tx.get(ownChatByKey, message.chat_key, caller.key) : undefined;
  }
  const chat = await tx.get(chatForAccount, idBytes(input.chat_id), caller.key);
  return chat?.role ? { ...chat, role: chat.role } : undefined;
}
