import { requireCredentialAgent } from '../../agents/tool-credentials.ts';
import { everything } from '../../commits/unit-locks.ts';
import { notFound } from '../../core/errors.ts';
import { dropToolCredential, toolServerNamed } from '../../store/tool-servers.ts';
import { unit } from '../handler.ts';

/** A repeat does nothing (TOOL-6). */
export default unit(
  'removeToolCredential',
  { locks: everything, addsData: false },
  async (call, { username, server: name }) => {
    const agent = await requireCredentialAgent(call, username);
    const server = await call.tx.get(toolServerNamed, agent.key, name);
    if (!server) throw notFound('server');
    await call.tx.run(dropToolCredential, server.key, call.caller.key);
  },
);
