import type { UnitCall } from '../commits/unit-call.ts';
import { chat } from '../commits/lock-names.ts';
import { internalUnit } from '../commits/unit-locks.ts';
import { idBytes, idText } from '../core/ids.ts';
import { isParticipant } from '../store/chats.ts';
import {
  beginSummary as begin,
  storeSummary as store,
  summaryOf,
  summaryPlace,
  type SummaryRow,
} from '../store/summaries.ts';
import { turnByKey } from '../store/turns.ts';

interface SummaryOfTurn {
  turnKey: number;
  chatId: string;
}

interface BegunSummary {
  attempt: string;
  /** The summary that the new one continues. */
  former: SummaryRow | null;
}

/**
 * Begins a summary of the messages up to `reachKey`, before they are read: a deletion or an edit of any of them from now
 * on deletes the attempt too, so that its summary cannot be stored (SUMMARY-8). Null if there is one already, or the turn
 * has ended.
 */
export const beginSummary = internalUnit(
  // Locks the conversation, in which messages may be deleted.
  { locks: ({ input }) => [chat(input.chatId)] },
  async (call: UnitCall, { turnKey, reachKey }: SummaryOfTurn & { reachKey: number }): Promise<BegunSummary | null> => {
    const { tx } = call;
    const turn = await tx.get(turnByKey, turnKey);
    if (turn?.state !== 'streaming' || !(await tx.get(isParticipant, turn.chat_key, turn.agent_key))) return null;
    const place = summaryPlace(turn);
    const former = await tx.get(summaryOf, ...place);
    if (former && former.through_key >= reachKey) return null;
    const attempt = call.newId();
    await tx.run(begin, ...place, reachKey, attempt);
    return { attempt: idText(attempt), former: former && former.text !== null ? former : null };
  },
);

interface WrittenSummary extends SummaryOfTurn {
  attempt: string;
  text: string;
  fromKey: number;
  throughKey: number;
  messages: number;
  isWhole: boolean;
}

/** Stores a summary, unless a message that it covers was deleted or edited since it was begun (SUMMARY-8). */
export const storeSummary = internalUnit(
  { locks: ({ input }) => [chat(input.chatId)] },
  async ({ tx }: UnitCall, input: WrittenSummary): Promise<void> => {
    const turn = await tx.get(turnByKey, input.turnKey);
    if (!turn) return;
    const { fromKey, throughKey, messages, isWhole, text } = input;
    const place = [...summaryPlace(turn), idBytes(input.attempt)] as const;
    await tx.run(store, ...place, fromKey, throughKey, messages, Number(isWhole), text);
  },
);
