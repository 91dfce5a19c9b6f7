// What a picture that a model draws leaves in the store: its place in the ledger before it is asked for, and afterwards
// the file, what it cost and the end of its call, in one unit (PICTURE-4).
import { OWN_TOOLS } from '@parley/protocol/built-in-tools';
import type { Price, TokenUsage } from '@parley/protocol';
import type { Refused } from '../commits/effects.ts';
import { account } from '../commits/lock-names.ts';
import type { UnitCall } from '../commits/unit-call.ts';
import { internalUnit } from '../commits/unit-locks.ts';
import { type CallEvent, type CallState, nextCallState } from '../rules/call-states.ts';
import { pictureLimits, TOKENS_OF_PICTURE } from '../rules/pictures.ts';
import { accountByKey, turnOwner } from '../store/accounts.ts';
import { chatByKey } from '../store/chats.ts';
import { messageByKey, recordOf } from '../store/messages.ts';
import { callByKey, callsOfTurn, endCallRow, sendCall } from '../store/tool-calls.ts';
import { addReserved, turnByKey } from '../store/turns.ts';
import { book } from './book-usage.ts';
import { usedUpBy } from './budgets.ts';
import { addFilesToReply, type MadeFile } from './files-of-reply.ts';
import { endedWithGrant, locks, runningTurn, type TurnPlace } from './tool-turns/step-units.ts';

interface OfCall extends TurnPlace {
  callKey: number;
}

/** `sending`: the vendor may be asked. A state that ends the call: it may not. Null: its turn has ended. */
export type BegunPicture = CallState | Refused | 'too_many' | null;

const isBeingDrawn = ({ state }: { state: CallState }): boolean => state === 'sending';

/** Notes that a picture is about to be asked for, and reserves what it may use (PICTURE-5). */
export const beginPicture = internalUnit({ locks }, async (call: UnitCall, input: OfCall): Promise<BegunPicture> => {
  const { tx, now } = call;
  const row = await tx.get(callByKey, input.callKey);
  const turn = await runningTurn(call, input);
  const message = await tx.get(messageByKey, input.messageKey);
  const agent = turn && (await tx.get(accountByKey, turn.agent_key));
  const chat = turn && (await tx.get(chatByKey, turn.chat_key));
  if (!row || !turn || !agent || !chat || !message || nextCallState(row.state, 'send') === null) return null;
  const ended = await endedWithGrant(call, row);
  if (ended) return ended;
  const asked = (await tx.all(callsOfTurn, turn.key)).filter(
    ({ server, tool, sent_at: at }) => server === OWN_TOOLS && tool === row.tool && at !== null,
  );
  const attached = recordOf(message).attachments.length + asked.filter(isBeingDrawn).length;
  if (asked.length >= pictureLimits.perTurn || attached >= pictureLimits.perMessage) return 'too_many';
  const isOwnersKey = turn.payer === 'owner';
  // Of no turn: what this one has used for its text counts too.
  const reply = { agent, humanKey: turn.human_key, chat, isOwnersKey, isDaemons: false, turnKey: 0 };
  const inFlight = asked.filter(isBeingDrawn).length * TOKENS_OF_PICTURE;
  const refused = await usedUpBy(call, reply, { reported: inFlight, estimated: inFlight });
  if (refused) return refused;
  await tx.run(addReserved, turn.key, TOKENS_OF_PICTURE);
  await tx.run(sendCall, row.key, now);
  return 'sending';
});

interface EndPicture extends OfCall {
  agentKey: number;
  /** Null if there is none. Its bytes are stored. */
  picture: MadeFile | null;
  event: Extract<CallEvent, 'finish' | 'fail' | 'lose'>;
  /** Sealed. */
  result: string | null;
  usage: TokenUsage | undefined;
  price: Price | undefined;
  /** See `Booking`. */
  estimatedTokens: number;
}

/**
 * Ends the call of a picture: adds it to the reply, unless that has ended, and books what it cost in any case. Resolves
 * with the state of the call.
 */
export const endPicture = internalUnit(
  { locks: (given: { input: EndPicture }) => [...locks(given), account(given.input.agentKey)] },
  async (call: UnitCall, input: EndPicture): Promise<CallState | null> => {
    const { tx, now } = call;
    const row = await tx.get(callByKey, input.callKey);
    const turn = await tx.get(turnByKey, input.turnKey);
    const agent = await tx.get(accountByKey, input.agentKey);
    if (!row || !turn || !agent) return null;
    const { usage, price, estimatedTokens, messageKey, agentKey, turnKey } = input;
    if (usage || price || estimatedTokens > 0)
      await book(call, {
        messageKey,
        agentKey,
        chatKey: turn.chat_key,
        turnKey,
        // Without it a price is not booked.
        usage: usage ?? (price && { input_tokens: 0, output_tokens: 0 }),
        price,
        estimatedTokens,
        isReply: false,
      });
    const next = nextCallState(row.state, input.event);
    if (next === null) return row.state;
    await tx.run(addReserved, turn.key, -TOKENS_OF_PICTURE);
    call.intend({ type: 'roomForTurns', ownerKey: turnOwner(agent) });
    const isOurs = (await runningTurn(call, input)) !== undefined;
    if (input.picture && isOurs) await addFilesToReply(call, { messageKey, agent }, [input.picture]);
    await tx.run(endCallRow, row.key, next, input.result, now);
    return next;
  },
);

interface KeepPicture extends TurnPlace {
  agentKey: number;
  picture: MadeFile;
}

/** Adds a picture that stands in a model's answer to the reply; false if that has ended, or has as many as it may. */
export const keepPicture = internalUnit(
  { locks: (given: { input: KeepPicture }) => [...locks(given), account(given.input.agentKey)] },
  async (call: UnitCall, input: KeepPicture): Promise<boolean> => {
    const { tx } = call;
    const agent = await tx.get(accountByKey, input.agentKey);
    const message = await tx.get(messageByKey, input.messageKey);
    if (!agent || !message || !(await runningTurn(call, input))) return false;
    if (recordOf(message).attachments.length >= pictureLimits.perMessage) return false;
    await addFilesToReply(call, { messageKey: input.messageKey, agent }, [input.picture]);
    return true;
  },
);
