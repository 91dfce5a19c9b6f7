import { requirePerson } from '../../access/person.ts';
import { accessTokenRecord } from '../../rendering/records.ts';
import { accessTokensOf } from '../../store/access-tokens.ts';
import { read } from '../handler.ts';

export default read('getAccessTokens', async ({ tx, caller, now }) => {
  requirePerson(caller);
  return { items: (await tx.all(accessTokensOf, caller.key, now)).map(accessTokenRecord) };
});
