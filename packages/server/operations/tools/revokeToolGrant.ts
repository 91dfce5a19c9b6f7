import { ofCaller } from '../../commits/unit-locks.ts';
import { forbidden, notFound } from '../../core/errors.ts';
import { idBytes } from '../../core/ids.ts';
import { dropGrant, ownGrant } from '../../store/shown-calls.ts';
import { unit } from '../handler.ts';

/** Turns read grants under the lock of their asker: after this none counts (CALL-20). */
export default unit(
  'revokeToolGrant',
  { locks: ofCaller, addsData: false },
  async ({ tx, caller }, { grant_id: id }) => {
    if (caller.kind !== 'human') throw forbidden('only people allow calls');
    const row = await tx.get(ownGrant, caller.key, idBytes(id));
    if (!row) throw notFound('grant');
    const { agent_key, server, tool, chat_key } = row;
    await tx.run(dropGrant, caller.key, agent_key, server, tool, chat_key, chat_key === 0 ? 1 : 0);
  },
);
