import { everything } from '../../commits/unit-locks.ts';
import { idText } from '../../core/ids.ts';
import { invalid } from '../../core/errors.ts';
import { maskedTail, toolBinding } from '../../secrets/seal.ts';
import { putToolCredential } from '../../store/tool-servers.ts';
import { requireHolder } from '../../tools/credential-holders.ts';
import { signedIn } from '../../agents/after-decision.ts';
import { requireCredentialAgent } from '../../agents/tool-credentials.ts';
import { preparedUnit } from '../handler.ts';
import type { Needs } from '../rooms.ts';

/** What a header can carry. */
const TOKEN = /^[\x21-\x7e]+$/;

/** The token is sealed before the unit, so that only `prepare` sees it (TOOL-6). */
export default preparedUnit('setToolCredential', {
  withheld: ['token'],
  async prepare(call, { username, server: name, token: given }, { keys }: Needs<'keys'>) {
    const agent = await requireCredentialAgent(call, username);
    const { server, accountKey } = await requireHolder(call, agent, name, 'bearer');
    const token = given.trim();
    if (!TOKEN.test(token)) throw invalid('token', 'must be visible ASCII characters without spaces');
    const origin = new URL(server.url).origin;
    return {
      serverKey: server.key,
      origin,
      sealed: keys.seal(token, toolBinding(server.key, accountKey, origin)),
      tail: maskedTail(token),
    };
  },
  locks: everything,
  audit: ({ username: target, server }) => ({ target, details: { server } }),
  async handle(call, { username, server: name }, { serverKey, origin, sealed, tail }) {
    const agent = await requireCredentialAgent(call, username);
    const { server, accountKey } = await requireHolder(call, agent, name, 'bearer');
    if (server.key !== serverKey || new URL(server.url).origin !== origin)
      throw invalid('server', 'has just been changed by its owner');
    const generation = idText(call.newId());
    await call.tx.run(putToolCredential, server.key, accountKey, agent.key, origin, sealed, tail, generation);
    await signedIn(call, server, call.caller);
    return { credential_tail: tail };
  },
});
