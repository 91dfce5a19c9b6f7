import { requirePerson } from '../../access/person.ts';
import { ofCaller } from '../../commits/unit-locks.ts';
import { notFound } from '../../core/errors.ts';
import { idBytes } from '../../core/ids.ts';
import { accessTokenById, deleteAccessToken } from '../../store/access-tokens.ts';
import { unit } from '../handler.ts';

/** Another person's token gives the same 404 as an unknown one (ACCESS-3). */
export default unit(
  'revokeAccessToken',
  { locks: ofCaller, addsData: false, audit: ({ id: target }) => ({ target }) },
  async (call, { id }) => {
    requirePerson(call.caller);
    const row = await call.tx.get(accessTokenById, idBytes(id), call.caller.key);
    if (!row) throw notFound('access token');
    await call.tx.run(deleteAccessToken, row.key);
    call.intend({ type: 'closeTokens', tokenKeys: [row.key] });
  },
);
