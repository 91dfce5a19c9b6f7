import { requirePerson } from '../../access/person.ts';
import { accessTokenRecord } from '../../rendering/records.ts';
import { accessTokensOf } from '../../store/access-tokens.ts';
import { read } from '../handler.ts';

export default read('getAccessTokens', async ({ tx, caller, now }) => {
  requirePerson(caller);
  const rows = await tx.all(accessTokensOf, caller.key, now);
  // A grant whose code was not exchanged is none yet.
  return { items: rows.filter(({ code }) => code === null).map(accessTokenRecord) };
});
