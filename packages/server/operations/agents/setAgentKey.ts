import { everything } from '../../commits/unit-locks.ts';
import { preparedUnit } from '../handler.ts';
import type { Needs } from '../rooms.ts';
import { invalid } from '../../core/errors.ts';
import { maskedTail, secretBinding } from '../../secrets/seal.ts';
import { secretsOf } from '../../store/secrets.ts';
import { cleanApiKey } from '../../agents/api-key.ts';
import { requireHuman, requireDefaultAgent } from '../../agents/default-agent.ts';

const FIELD = 'api_key';

/** The key is sealed before the unit, so that only `prepare` sees it (KEY-1, KEY-4). */
export default preparedUnit('setAgentKey', {
  withheld: ['api_key'],
  async prepare({ tx, caller }, { provider, api_key: given }, { keys }: Needs<'keys'>) {
    const owner = requireHuman(caller);
    const agent = await requireDefaultAgent(tx, owner, provider);
    const key = cleanApiKey(given, FIELD);
    if (key === '') throw invalid(FIELD, 'is empty');
    const sealed = keys.seal(key, secretBinding(agent.key, owner.key, FIELD));
    return { agentKey: agent.key, sealed, tail: maskedTail(key) };
  },
  locks: everything,
  audit: ({ provider }, _result, { username }) => ({ target: `${username}:${provider}` }),
  async handle({ tx, caller }, { provider }, { agentKey, sealed, tail }) {
    await tx.run(secretsOf.owner.put, agentKey, caller.key, FIELD, sealed, tail, null);
    return { provider, key_tail: tail };
  },
});
