// What the service's own tools write, each in one unit with what the ledger says of the call (OWN-6).
import { type DecisionOption, FieldSpec } from '@parley/protocol';
import type { UnitCall } from '../commits/unit-call.ts';
import { account } from '../commits/lock-names.ts';
import { internalUnit } from '../commits/unit-locks.ts';
import { notFound } from '../core/errors.ts';
import { idBytes } from '../core/ids.ts';
import { setReminder } from '../conversations/reminders.ts';
import { callerOf } from '../agents/caller-of.ts';
import { addFilesToReply, type MadeFile } from '../agents/files-of-reply.ts';
import { addNote, type NotePlace, notePlace, removeNote } from '../agents/notes.ts';
import { type Asking, askingOf, common } from '../agents/tool-turns/ask-calls.ts';
import { endedWithGrant, locks, runningTurn, type TurnPlace } from '../agents/tool-turns/step-units.ts';
import { mayNotWait } from '../agents/waiting-turns.ts';
import { createDecision } from '../messages/decisions/create-decision.ts';
import { type CallState, nextCallState } from '../rules/call-states.ts';
import { DECLINE, optionsOf } from '../rules/decisions.ts';
import { pictureLimits } from '../rules/pictures.ts';
import { countQuestionsOfTurn, questionOfCall } from '../store/decisions.ts';
import { isParticipant } from '../store/chats.ts';
import { messageById, messageByKey, recordOf } from '../store/messages.ts';
import { noteById } from '../store/notes.ts';
import { callByKey, endCallRow, markOpenWorld } from '../store/tool-calls.ts';
import type { TurnRow } from '../store/turns.ts';
import { ANSWER } from './ask.ts';

/** Maximum questions of a turn (OWN-7). */
const MAX_QUESTIONS = 5;

interface OfCall extends TurnPlace {
  callKey: number;
}

interface Remind extends OfCall {
  /** Null: the message that fired the agent. */
  messageId: string | null;
  remindAt: string;
  /** Sealed. */
  result: string;
}

interface Remember extends OfCall {
  text: string;
  /** Sealed. */
  result: string;
}

interface Forget extends OfCall {
  noteId: string;
  /** Sealed. */
  result: string;
}

interface EndCodeCall extends OfCall {
  agentKey: number;
  made: readonly MadeFile[];
  /** Sealed; null if it is kept nowhere (OWN-9). */
  result: string | null;
  /** The code has read what strangers may have written. */
  isOpenWorld: boolean;
}

interface Ask extends OfCall {
  question: string;
  /** Null: the answer is written. */
  options: readonly string[] | null;
  isForAnyone: boolean;
}

const written = [FieldSpec.parse({ key: ANSWER, label: 'Answer', type: 'text', required: true })];

export const ownToolUnits = {
  /** Sets a reminder of a message for the asker, and ends the call. Null if the turn has ended. */
  remindForCall: internalUnit({ locks }, (call: UnitCall, input: Remind) =>
    endedWith(call, input, async ({ asker, trigger, chat }) => {
      const { tx } = call;
      const message =
        input.messageId === null
          ? await tx.get(messageByKey, trigger.key)
          : await tx.get(messageById, idBytes(input.messageId), asker.key);
      if (message?.chat_key !== chat.key) throw notFound('message');
      await setReminder({ ...call, caller: callerOf(asker) }, message, { remindAt: input.remindAt, keepsFormer: true });
    }),
  ),

  /** Writes a note where the turn runs, and ends the call. Null if the turn has ended. */
  rememberForCall: internalUnit({ locks }, (call: UnitCall, input: Remember) =>
    endedWith(call, input, async ({ turn }) => {
      const place = await placeOfTurn(call, turn);
      await addNote(call, place, { text: input.text, writerKey: turn.human_key, isByAgent: true });
    }),
  ),

  /** Deletes a note of where the turn runs, and ends the call. Null if the turn has ended. */
  forgetForCall: internalUnit({ locks }, (call: UnitCall, input: Forget) =>
    endedWith(call, input, async ({ turn }) => {
      const { agent_key, human_key, chat_key } = await placeOfTurn(call, turn);
      const row = await call.tx.get(noteById, idBytes(input.noteId));
      const isHere = row?.agent_key === agent_key && row.human_key === human_key && row.chat_key === chat_key;
      if (!isHere) throw notFound('note');
      await removeNote(call, row, turn.human_key);
    }),
  ),

  /** Asks a question in the reply's timeline, of the asker or of everybody there. Null if the turn has ended. */
  askForCall: internalUnit(
    { locks },
    async (call: UnitCall, input: Ask): Promise<'asked' | 'too_many' | 'too_many_waiting' | 'absent' | null> => {
      const { tx } = call;
      const row = await tx.get(callByKey, input.callKey);
      const turn = await runningTurn(call, input);
      const asking = turn && (await askingOf(call, turn));
      if (!asking || row?.state !== 'approved') return null;
      if (await tx.get(questionOfCall, turn.key, row.key)) return 'asked';
      if (((await tx.get(countQuestionsOfTurn, turn.key))?.count ?? 0) >= MAX_QUESTIONS) return 'too_many';
      if (!(await tx.get(isParticipant, turn.chat_key, asking.asker.key))) return 'absent';
      if (await mayNotWait(call, turn)) return 'too_many_waiting';
      await createDecision(call, {
        ...common(call, asking),
        ...(input.isForAnyone && { deciders: 'anyone' as const }),
        kind: 'question',
        text: input.question,
        options: input.options === null ? optionsOf(undefined) : [...input.options.map(optionOf), decline],
        form: input.options === null ? written : undefined,
        callKey: row.key,
      });
      return 'asked';
    },
  ),

  /** Adds the files that code has saved to the reply, and ends its call. Null if the turn has ended. */
  endCodeCall: internalUnit(
    { locks: (given: { input: EndCodeCall }) => [...locks(given), account(given.input.agentKey)] },
    async (call: UnitCall, input: EndCodeCall): Promise<CallState | 'too_many' | null> => {
      const { tx } = call;
      const message = await tx.get(messageByKey, input.messageKey);
      const attached = message ? recordOf(message).attachments.length : 0;
      if (attached + input.made.length > pictureLimits.perMessage) return 'too_many';
      return endedWith(call, input, async ({ agent }) => {
        await addFilesToReply(call, { messageKey: input.messageKey, agent }, input.made);
        if (input.isOpenWorld) await tx.run(markOpenWorld, input.callKey);
      });
    },
  ),
};

/** Ends a call with its effect, once, unless the answer that allowed it was taken back. Null if the turn has ended. */
async function endedWith(
  call: UnitCall,
  input: OfCall & { result: string | null },
  effect: (asking: Asking) => Promise<void>,
): Promise<CallState | null> {
  const { tx, now } = call;
  const row = await tx.get(callByKey, input.callKey);
  const next = row && nextCallState(row.state, 'finish');
  // It was carried out before.
  if (row?.state === 'done') return row.state;
  const turn = await runningTurn(call, input);
  const asking = turn && (await askingOf(call, turn));
  if (!row || !next || !asking) return null;
  const ended = await endedWithGrant(call, row);
  if (ended) return ended;
  await effect(asking);
  await tx.run(endCallRow, row.key, next, input.result, now);
  return next;
}

/** Where the turn's agent remembers something for its asker (NOTE-4). */
async function placeOfTurn({ tx }: UnitCall, turn: TurnRow): Promise<NotePlace> {
  const asked = { chatKey: turn.chat_key, agentKey: turn.agent_key, personKey: turn.human_key };
  const place = await notePlace(tx, asked);
  if (!place) throw notFound('conversation');
  return place;
}

/** A question may always be declined (OWN-7). */
const decline: DecisionOption = { id: DECLINE, label: 'Decline' };

const optionOf = (label: string, at: number): DecisionOption => ({ id: `option_${at + 1}`, label });
