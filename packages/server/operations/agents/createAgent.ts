import { limits } from '@parley/protocol';
import { fieldsOf } from '../../agents/agent-fields.ts';
import { agentView } from '../../agents/config/agent-view.ts';
import { storeAgent } from '../../agents/config/custom-agent.ts';
import { cleanBaseUrl } from '../../agents/model-server.ts';
import { requireHuman } from '../../agents/default-agent.ts';
import { ofCaller } from '../../commits/unit-locks.ts';
import { conflict, invalid } from '../../core/errors.ts';
import { givenAvatar } from '../../files/avatars.ts';
import { changeProfile } from '../../people/change-profile.ts';
import { isReservedName, RESERVED } from '../../rules/reserved-names.ts';
import { accountByKey, addAccount, countCustomAgents } from '../../store/accounts.ts';
import { preparedUnit } from '../handler.ts';
import type { Needs } from '../rooms.ts';

/** Creates `<caller>:<slug>`, which the service runs as it runs the default agents (CUSTOM-1). */
export default preparedUnit('createAgent', {
  async prepare({ caller }, input, { config, files, modelServers }: Needs<'config' | 'files' | 'modelServers'>) {
    requireHuman(caller);
    if (isReservedName(input.display_name)) throw invalid('display_name', RESERVED);
    return {
      providers: config.providers,
      baseUrl: cleanBaseUrl(input.base_url ?? '', modelServers),
      avatar: await givenAvatar(files, caller, input.avatar_file_id),
    };
  },
  // Locks the owner, because the owner's agents are counted.
  locks: ofCaller,
  async handle(call, input, { providers, baseUrl, avatar }) {
    const { tx, caller } = call;
    const { slug, display_name: displayName, provider, description: bio } = input;
    if (((await tx.get(countCustomAgents, caller.key))?.count ?? 0) >= limits.agentsPerOwner)
      throw invalid('slug', `would name agent ${limits.agentsPerOwner + 1} of this account`);
    const made = { username: `${caller.username}:${slug}`, kind: 'agent', displayName, parentKey: caller.key } as const;
    const key = await addAccount(call, { ...made, provider });
    const agent = key === null ? undefined : await tx.get(accountByKey, key);
    if (!agent) throw conflict('this slug is taken');
    await changeProfile(call, agent, { bio, avatar });
    await storeAgent(call, agent, { ...input, baseUrl }, providers);
    const row = (await tx.get(accountByKey, agent.key)) ?? agent;
    return agentView(call, row, await fieldsOf(tx, row, { providers }));
  },
});
