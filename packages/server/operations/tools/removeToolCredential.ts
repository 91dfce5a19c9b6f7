import { requireCredentialAgent } from '../../agents/tool-credentials.ts';
import { everything } from '../../commits/unit-locks.ts';
import { notFound } from '../../core/errors.ts';
import { dropToolCredential, toolCredentialOf, toolServerNamed } from '../../store/tool-servers.ts';
import { unitThen } from '../handler.ts';
import type { Needs } from '../rooms.ts';

/** How long the answer waits for a server that is told of the end of a login. */
const REVOKE_MS = 5_000;

/** A repeat does nothing (TOOL-6). The server of a login is told that it has ended, if it can be reached (TOOL-23). */
export default unitThen(
  'removeToolCredential',
  {
    locks: everything,
    addsData: false,
    audit: ({ username: target, server }) => ({ target, details: { server } }),
  },
  async (call, { username, server: name }) => {
    const agent = await requireCredentialAgent(call, username);
    const server = await call.tx.get(toolServerNamed, agent.key, name);
    if (!server) throw notFound('server');
    const row = await call.tx.get(toolCredentialOf, server.key, call.caller.key);
    await call.tx.run(dropToolCredential, server.key, call.caller.key);
    // Sealed.
    return row && server.auth === 'oauth' ? row : null;
  },
  async (_call, row, { toolLogins, clock }: Needs<'toolLogins' | 'clock'>) => {
    if (!row) return;
    const stop = new AbortController();
    const timer = clock.setTimer(() => stop.abort(), REVOKE_MS);
    await toolLogins.revoke(row, stop.signal).catch(() => {});
    timer.cancel();
  },
);
