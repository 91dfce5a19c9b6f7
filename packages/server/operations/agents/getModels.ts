import { provider as providers, type Input, type Provider } from '@parley/protocol';
import { requireVisibleAgent } from '../../agents/config/configured-agent.ts';
import { keyForModels } from '../../agents/load-run-config.ts';
import { requireHuman, requireDefaultAgent } from '../../agents/default-agent.ts';
import { ProviderError } from '../../agents/providers/provider.ts';
import { serviceErrorOf } from '../../agents/service-error-of.ts';
import { forbidden, invalid, notFound, type ServiceError } from '../../core/errors.ts';
import type { AccountRow } from '../../store/accounts.ts';
import { type ReadCall, relay } from '../handler.ts';
import type { Needs } from '../rooms.ts';

/** What an agent's server offers, asked with the caller's own key (CUSTOM-13). */
export default relay(
  'getModels',
  { addsData: true },
  async (call, input, { keys, logger, modelLists }: Needs<'keys' | 'logger' | 'modelLists'>) => {
    const agent = await requireAskedAgent(call, input);
    const provider = providers.safeParse(agent.agent_provider);
    if (!provider.success) throw invalid('username', 'is not run on a model by the service');
    const onFault = (err: Error) => logger.error({ err, agent: agent.username }, 'a secret could not be opened');
    const { apiKey, baseUrl } = await keyForModels({ tx: call.tx, keys, onFault }, agent, call.caller.key);
    if (apiKey === undefined) throw forbidden('you have no key for this agent; set one first');
    const source = { provider: provider.data, apiKey, ...(baseUrl !== null && { baseUrl }) };
    try {
      return { items: [...(await modelLists.list(source))] };
    } catch (error) {
      throw error instanceof ProviderError ? refusalOf(error) : error;
    }
  },
);

function requireAskedAgent(call: ReadCall, { username, provider }: Input<'getModels'>): Promise<AccountRow> {
  const human = requireHuman(call.caller);
  if (username !== undefined) return requireVisibleAgent(call, username);
  // The declaration requires one of the two.
  return requireDefaultAgent(call.tx, human, provider as Provider);
}

function refusalOf(error: ProviderError): ServiceError {
  const { kind, status } = error;
  return kind === 'protocol' || status === 404 || status === 405 ? notFound('models') : serviceErrorOf(error);
}
