// For whom an agent runs, and whose key pays. First `chainAfter` says on whose behalf an agent's message fires others,
// then `payerFor` whose key each of these uses.
import type { PaysFor } from '@parley/protocol';
import type { DueReason } from './agent-replies.ts';

/**
 * Maximum age of a message that a bot's own messages may answer at the cost of its human, and the period of an owner's
 * budget of firings that nobody asked for (DISPATCH-16).
 */
export const CHAIN_MS = 3_600_000;
/** Maximum messages of a bot, beside its reply, that quote one human's message and run for that human (DISPATCH-16). */
export const MAX_QUOTES = 8;

/** Whether a human's message asks the agent that it fires, instead of only being heard by it (DISPATCH-19). */
export const isAskedBy = (reason: DueReason, chatKind: 'direct' | 'group'): boolean =>
  chatKind === 'direct' || reason === 'mentioned' || reason === 'quoted';

/** What an agent's message answers. */
interface AnsweredFiring {
  /** Whether a human's message fired the agent; otherwise another agent's message did, which mentioned it. */
  isByHuman: boolean;
  /** Whether that message asked the agent; that of another agent always did. */
  isAsked: boolean;
  /** Milliseconds since the firing. */
  age: number;
  /** The bot's messages so far that quote the message which fired it, this one included. */
  quotes: number;
}

/** How an agent's message answers: as the service's own reply, as a bot's reply stream, or as a message that quotes. */
export type AnswerKind = 'reply' | 'stream' | 'quote';

/**
 * The chain to which an agent's message belongs (DISPATCH-16, DISPATCH-19):
 * - `same`: the chain of the firing that it answers, for the same human.
 * - `owner`: the same chain, but at the cost of the agent's owner, because nobody asked the agent.
 * - `own`: a new chain at the cost of the agent's owner, because the message answers nothing.
 */
export type Chain = 'same' | 'owner' | 'own';

/** `answered`: undefined if the message answers no firing. */
export function chainAfter(kind: AnswerKind, answered: AnsweredFiring | undefined): Chain {
  if (!answered) return 'own';
  const { isByHuman, isAsked, age, quotes } = answered;
  // The service knows what its own replies answer, however long they waited.
  if (kind !== 'reply' && age >= CHAIN_MS) return 'own';
  if (kind === 'quote') return isByHuman && isAsked && quotes <= MAX_QUOTES ? 'same' : 'own';
  return isAsked ? 'same' : 'owner';
}

/** Whose key a turn runs with: the owner's, the asker's own, or none. */
export type Payer = 'owner' | 'asker';

/** What decides whose key pays for an agent's reply to a human (KEY-10). */
export interface PayingFacts {
  isOwner: boolean;
  hasOwnKey: boolean;
  /** The agent's owner has blocked the human. */
  isBlocked: boolean;
  paysFor: PaysFor;
  sharesGroup: boolean;
}

/** The key with which an agent answers a human; null if none may be used. */
export function payerFor(facts: PayingFacts): Payer | null {
  // The owner's key may be in the settings or in the owner's own override; the owner pays in both cases.
  if (facts.isOwner) return 'owner';
  if (facts.hasOwnKey) return 'asker';
  return ownersKeyPays(facts) ? 'owner' : null;
}

/** Whether the owner's key pays for the human, who may have an own key too. */
export function ownersKeyPays({ isOwner, isBlocked, paysFor, sharesGroup }: Omit<PayingFacts, 'hasOwnKey'>): boolean {
  if (isOwner) return true;
  if (isBlocked) return false;
  return paysFor === 'everyone' || (paysFor === 'groups' && sharesGroup);
}
