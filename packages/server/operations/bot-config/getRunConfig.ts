import { fieldsOf } from '../../agents/agent-fields.ts';
import { runConfigOf } from '../../agents/load-run-config.ts';
import { type ReadCall, read } from '../handler.ts';
import type { Needs } from '../rooms.ts';
import { forbidden, notFound } from '../../core/errors.ts';
import { idBytes } from '../../core/ids.ts';
import { accountByKey } from '../../store/accounts.ts';
import { hasBlocked } from '../../store/blocks.ts';
import { isParticipant } from '../../store/chats.ts';
import { messageById } from '../../store/messages.ts';
import { turnOf, type TurnRow } from '../../store/turns.ts';
import { isGone } from '../../messages/visibility.ts';

/** How long after its firing a bot may call this. */
const ASKED_WITHIN_MS = 3_600_000;

/** The only operation whose answer contains secrets (BOTCONF-13, BOTCONF-14). */
export default read(
  'getRunConfig',
  async (call, { message_id }, { config, keys, logger }: Needs<'config' | 'keys' | 'logger'>) => {
    const { tx, caller } = call;
    if (caller.kind !== 'agent') throw forbidden('only a bot has a run config');
    const turn = await firingBy(call, message_id);
    const bot = await tx.get(accountByKey, caller.key);
    const human = turn && (await tx.get(accountByKey, turn.human_key));
    if (!turn || !bot || !human || human.deleted_at !== null) throw notFound('message');
    if (await hasBlocked(tx, bot.key, human.key)) throw notFound('message');
    const onFault = (err: Error) => logger.error({ err, agent: bot.username }, 'a secret could not be opened');
    const fields = await fieldsOf(tx, bot, config);
    const values = await runConfigOf({ tx, keys, onFault }, bot, human.key, fields);
    return { user: human.username, ...values };
  },
);

/** The firing of the calling bot by a message; undefined if it is too old or the message is deleted. */
async function firingBy({ tx, caller, now }: ReadCall, messageId: string): Promise<TurnRow | undefined> {
  const message = await tx.get(messageById, idBytes(messageId), caller.key);
  if (!message || (await isGone({ tx }, message))) return undefined;
  const turn = await tx.get(turnOf, message.key, caller.key);
  // The run config of an agent that the service runs stays in the service.
  if (!turn || turn.runner !== 'daemon' || now - turn.created_at > ASKED_WITHIN_MS) return undefined;
  return (await tx.get(isParticipant, turn.chat_key, caller.key)) && turn;
}
