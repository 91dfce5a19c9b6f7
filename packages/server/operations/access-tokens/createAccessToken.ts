// Tokens of people for programs: what they may do is in the policy of each operation (ACCESS-6).
import { requirePerson } from '../../access/person.ts';
import { account } from '../../commits/lock-names.ts';
import { idText } from '../../core/ids.ts';
import { accessTokenRecord } from '../../rendering/records.ts';
import { newToken } from '../../secrets/tokens.ts';
import { insertAccessToken } from '../../store/access-tokens.ts';
import { requireNewToken } from '../../people/programs/new-token-limits.ts';
import { askPassword } from '../../people/prove-password.ts';
import { preparedUnit } from '../handler.ts';
import type { Needs } from '../rooms.ts';

/** The token is returned once; a hash of it is stored (ACCESS-1). */
export default preparedUnit('createAccessToken', {
  withheld: ['password'],
  async prepare(call, { password }, rooms: Needs<'read' | 'clock' | 'passwordTries'>) {
    requirePerson(call.caller);
    await askPassword(rooms, call, password);
    return newToken('at_');
  },
  // Locks the caller, because its tokens are counted.
  locks: ({ caller }) => [account(caller.key)],
  audit: ({ scopes, chat_ids, expires_in }, { id }, { username: target }) => ({
    target,
    details: { id, scopes, ...(chat_ids && { chats: chat_ids.length }), ...(expires_in && { expires_in }) },
  }),
  async handle(call, { name, scopes: given, chat_ids, expires_in }, { token, hash }) {
    const { tx, caller, now } = call;
    const chatIds = await requireNewToken(call, 'name', chat_ids);
    const id = call.newId();
    const scopes = [...new Set(given)];
    const row = {
      id,
      name,
      scopes: scopes.join(' '),
      chat_ids: chatIds ? JSON.stringify(chatIds) : null,
      created_at: now,
      expires_at: expires_in === undefined ? null : now + expires_in * 1_000,
      last_used_at: null,
      client_id: null,
      client: null,
    };
    await tx.run(insertAccessToken, id, caller.key, hash, name, row.scopes, row.chat_ids, now, row.expires_at);
    return { ...accessTokenRecord(row), id: idText(id), token };
  },
});
