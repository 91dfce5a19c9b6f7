import { everything } from '../../commits/unit-locks.ts';
import { unit } from '../handler.ts';
import { secretsOf } from '../../store/secrets.ts';
import { requireHuman, requireDefaultAgent } from '../../agents/default-agent.ts';

export default unit(
  'removeAgentKey',
  {
    locks: everything,
    addsData: false,
    audit: ({ provider }, _result, { username }) => ({ target: `${username}:${provider}` }),
  },
  async ({ tx, caller }, { provider }) => {
    const agent = await requireDefaultAgent(tx, requireHuman(caller), provider);
    await tx.run(secretsOf.owner.remove, agent.key, caller.key, 'api_key');
  },
);
