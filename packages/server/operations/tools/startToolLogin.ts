import { randomBytes } from 'node:crypto';
import { dateAfter } from '@parley/protocol/dates';
import { requireCredentialAgent } from '../../agents/tool-credentials.ts';
import { everything } from '../../commits/unit-locks.ts';
import { invalid } from '../../core/errors.ts';
import { addToolLogin, dropOldToolLogins } from '../../store/tool-servers.ts';
import { requireHolder } from '../../tools/credential-holders.ts';
import { hashOfState, LOGIN_MS } from '../../tools/login/tool-logins.ts';
import { preparedUnit } from '../handler.ts';
import type { Needs } from '../rooms.ts';

/** How long the server of tools may take to say where people sign in. */
const BEGIN_MS = 15_000;

/** The state stands in the address alone; only its hash is stored (TOOL-21). */
export default preparedUnit('startToolLogin', {
  async prepare(
    call,
    { username, server: name },
    { toolLogins, clock, logger }: Needs<'toolLogins' | 'clock' | 'logger'>,
  ) {
    const agent = await requireCredentialAgent(call, username);
    const { server, accountKey } = await requireHolder(call, agent, name, 'oauth');
    if (toolLogins.client.redirectUrl === undefined)
      throw invalid('server', 'can be signed in to once the operator of this service has set PUBLIC_URL');
    const state = randomBytes(32).toString('base64url');
    const stop = new AbortController();
    const timer = clock.setTimer(() => stop.abort(), BEGIN_MS);
    try {
      const begun = await toolLogins.begin(server, accountKey, state, stop.signal);
      return { ...begun, serverKey: server.key, stateHash: hashOfState(state).toString('hex') };
    } catch (err) {
      logger.error({ err, server: server.key }, 'a login to a server of tools could not begin');
      throw invalid('server', 'does not say where people sign in, or cannot be reached');
    } finally {
      timer.cancel();
    }
  },
  locks: everything,
  async handle(call, { username, server: name }, { url, sealed, serverKey, stateHash }) {
    const { tx, now, caller } = call;
    const agent = await requireCredentialAgent(call, username);
    const { server, accountKey } = await requireHolder(call, agent, name, 'oauth');
    if (server.key !== serverKey) throw invalid('server', 'has just been changed by its owner');
    await tx.run(dropOldToolLogins, now, server.key, caller.key);
    const expiresAt = dateAfter(now, LOGIN_MS);
    await tx.run(addToolLogin, Buffer.from(stateHash, 'hex'), server.key, accountKey, agent.key, sealed, expiresAt);
    return { url, expires_at: new Date(expiresAt).toISOString() };
  },
});
