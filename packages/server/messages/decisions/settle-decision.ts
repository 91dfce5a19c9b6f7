import type { Decision, FormValues, Message } from '@parley/protocol';
import type { UnitCall } from '../../commits/unit-call.ts';
import type { RawJson } from '../../core/json.ts';
import { takeBackEnded } from '../../push/take-back.ts';
import { messageJson } from '../../rendering/messages.ts';
import { outcomeText } from '../../rules/decisions.ts';
import { type DecisionRow, endDecision } from '../../store/decisions.ts';
import { mark, messageByKey, recordOf, updateMessage } from '../../store/messages.ts';
import { reindexMessage } from '../../store/search.ts';
import { addStored } from '../../store/stored-bytes.ts';
import { dropSummariesOf } from '../../store/summaries.ts';
import { moreBytes } from '../change-record.ts';
import { emitAbout } from '../message-scopes.ts';

/** How a decision ends; the account with the username `by` decides, with an option that is offered and fields that fit. */
export type Outcome =
  | { state: 'decided'; by: string; option: string; fields?: FormValues | undefined }
  | { state: 'expired' | 'withdrawn' };

export const decisionIn = ({ value }: Pick<DecisionRow, 'value'>): Decision => JSON.parse(value) as Decision; // as stored

/** The field `decision` with its outcome. */
function ended(row: DecisionRow, outcome: Outcome, now: number): Decision {
  const decision = decisionIn(row);
  if (outcome.state !== 'decided') return { ...decision, state: outcome.state };
  const { by, option, fields } = outcome;
  return {
    ...decision,
    state: 'decided',
    decided_by: by,
    option,
    ...(fields && { fields }),
    decided_at: new Date(now).toISOString(),
  };
}

/**
 * Ends an open decision: stores and publishes its outcome and the message's new text, and takes back its notifications
 * (DECIDE-7). Undefined if its message is deleted.
 */
export async function settleDecision(
  call: Pick<UnitCall, 'tx' | 'now' | 'accounts' | 'emit' | 'intend' | 'settings'>,
  row: DecisionRow,
  outcome: Outcome,
): Promise<RawJson<Message> | undefined> {
  const { tx, now } = call;
  const decision = ended(row, outcome, now);
  const value = JSON.stringify(decision);
  await tx.run(endDecision, row.message_key, decision.state, value);
  const found = await tx.get(messageByKey, row.message_key);
  if (!found || found.deleted_at !== null) return undefined;
  const record = recordOf(found);
  const said = outcomeText(decision);
  const changed = {
    ...record,
    content: `${record.content}\n\n${said}`,
    content_revision: record.content_revision + 1,
  };
  const bytes = moreBytes(found, changed) + Buffer.byteLength(value) - Buffer.byteLength(row.value);
  await tx.run(addStored, found.sender_key, bytes);
  const message = { ...found, record: JSON.stringify(changed) };
  await tx.run(updateMessage, found.key, found.status, message.record);
  await reindexMessage(tx, found.key);
  if ((found.marks & mark.unheard) === 0)
    await tx.run(dropSummariesOf, found.chat_key, found.channel_key, found.thread_key, found.key);
  const shown = await messageJson(call, message);
  await emitAbout(call, found, { kind: 'messageUpdated', params: shown, ref: found.key });
  const params = { conversation_id: record.conversation_id, message_id: record.id, decision };
  await emitAbout(call, found, { kind: 'decisionUpdated', params, ref: found.key });
  call.intend({ type: 'textChanged', messageKey: found.key });
  await takeBackEnded(call, found.key);
  return shown;
}
