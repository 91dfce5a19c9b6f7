import type { Call } from '../../access/call.ts';
import { ServiceError, notFound } from '../../core/errors.ts';
import { idBytes } from '../../core/ids.ts';
import { type OwnChatRow, ownChatByKey } from '../../store/chats.ts';
import { decisionOf, type DecisionRow } from '../../store/decisions.ts';
import { messageById, type MessageRow } from '../../store/messages.ts';
import { isVisible } from '../visibility.ts';
import { decisionIn } from './settle-decision.ts';

interface FoundDecision {
  row: DecisionRow;
  message: MessageRow;
  chat: OwnChatRow;
}

/** The decision, of a message that the caller can see; otherwise 404 (DECIDE-5). */
export async function requireDecision(
  { tx, caller }: Pick<Call, 'tx' | 'caller'>,
  decisionId: string,
): Promise<FoundDecision> {
  const message = await tx.get(messageById, idBytes(decisionId), caller.key);
  const row = message && (await isVisible({ tx, caller }, message)) ? await tx.get(decisionOf, message.key) : undefined;
  const chat = row && (await tx.get(ownChatByKey, row.chat_key, caller.key));
  if (!message || !row || !chat) throw notFound('decision');
  return { row, message, chat };
}

/** Whether it can still be decided: after its time it has expired, even before the service has noted that (DECIDE-8). */
export const isOpen = ({ state, expires_at }: DecisionRow, now: number): boolean =>
  state === 'open' && (expires_at === null || expires_at > now);

/** 409 with the outcome (DECIDE-5). */
export function hasEnded(row: DecisionRow): ServiceError {
  const stored = decisionIn(row);
  const decision = stored.state === 'open' ? { ...stored, state: 'expired' as const } : stored;
  return new ServiceError('conflict', `this decision is ${decision.state}`, { decision });
}
