import { everything } from '../../commits/unit-locks.ts';
import { unit } from '../handler.ts';
import { secretsOf } from '../../store/secrets.ts';
import { requireHuman, requireProviderAgent } from '../../agents/provider-agent.ts';

export default unit('removeAgentKey', { locks: everything }, async ({ tx, caller }, { provider }) => {
  const agent = await requireProviderAgent(tx, requireHuman(caller), provider);
  await tx.run(secretsOf.owner.remove, agent.key, caller.key, 'api_key');
});
