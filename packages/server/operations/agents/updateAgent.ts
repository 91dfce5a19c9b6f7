import type { Input } from '@parley/protocol';
import { fieldsOf } from '../../agents/agent-fields.ts';
import { agentView } from '../../agents/config/agent-view.ts';
import { requireOwnedAgent } from '../../agents/config/configured-agent.ts';
import { storeAgent } from '../../agents/config/custom-agent.ts';
import { cleanBaseUrl } from '../../agents/model-server.ts';
import { everything } from '../../commits/unit-locks.ts';
import { invalid } from '../../core/errors.ts';
import { givenAvatar } from '../../files/avatars.ts';
import { accountChanged } from '../../people/announce-account.ts';
import { changeProfile } from '../../people/change-profile.ts';
import { isReservedName, RESERVED } from '../../rules/reserved-names.ts';
import { accountByKey, type AccountRow, isDefaultAgent } from '../../store/accounts.ts';
import type { Call } from '../../access/call.ts';
import { preparedUnit } from '../handler.ts';
import type { Needs } from '../rooms.ts';

/** Changes what is given; the rest stays (CUSTOM-3). */
export default preparedUnit('updateAgent', {
  async prepare({ tx, caller }, input, { config, files, modelServers }: Needs<'config' | 'files' | 'modelServers'>) {
    // Callers who do not own the agent get 404 or 403 before anything that they gave is checked.
    if (caller) await requireChangeable({ tx, caller }, input);
    const { base_url: given } = input;
    return {
      providers: config.providers,
      baseUrl: given === undefined ? undefined : cleanBaseUrl(given ?? '', modelServers),
      avatar: await givenAvatar(files, caller, input.avatar_file_id),
    };
  },
  locks: everything,
  async handle(call, input, { providers, baseUrl, avatar }) {
    const { tx } = call;
    // The agent may have been deleted since `prepare`.
    const agent = await requireChangeable(call, input);
    const { display_name: displayName, description: bio } = input;
    if (displayName !== undefined && displayName !== agent.display_name && isReservedName(displayName))
      throw invalid('display_name', RESERVED);
    if (baseUrl && isDefaultAgent(agent))
      throw invalid('base_url', 'cannot be set for this agent; make one with createAgent');
    await storeAgent(call, agent, { ...input, baseUrl }, providers);
    if (await changeProfile(call, agent, { displayName, bio, avatar })) await accountChanged(call, agent.key);
    const row = (await tx.get(accountByKey, agent.key)) ?? agent;
    return agentView(call, row, await fieldsOf(tx, row, { providers }));
  },
});

/** What a bot has too: its profile. Everything else is of agents that the service runs. */
const PROFILE: ReadonlySet<string> = new Set<keyof Input<'updateAgent'>>([
  'username',
  'display_name',
  'description',
  'avatar_file_id',
  'visibility',
]);

/** The caller's own agent; 400 if it is a bot and the change is not only of its profile (CUSTOM-3). */
async function requireChangeable(call: Pick<Call, 'tx' | 'caller'>, input: Input<'updateAgent'>): Promise<AccountRow> {
  const { agent } = await requireOwnedAgent(call, input.username);
  const given = Object.entries(input).find(([field, value]) => value !== undefined && !PROFILE.has(field));
  if (agent.agent_provider === null && given) throw invalid(given[0], 'cannot be set for a bot');
  return agent;
}
