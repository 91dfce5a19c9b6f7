import { unit } from '../../call.ts';
import { removeSecret } from '../../store/secrets.ts';
import { requireHuman, requireProviderAgent } from './provider-agent.ts';

export default unit('removeAgentKey', async ({ tx, caller }, { provider }) => {
  const agent = await requireProviderAgent(tx, requireHuman(caller), provider);
  await tx.run(removeSecret, agent.key, caller.key, 'api_key');
});
