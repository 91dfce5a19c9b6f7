import { fieldsOf } from '../../agents/agent-fields.ts';
import { everything } from '../../commits/unit-locks.ts';
import { preparedUnit } from '../handler.ts';
import type { Needs } from '../rooms.ts';
import { putOverride } from '../../store/bot-config.ts';
import {
  assertSeenServer,
  checkedConfig,
  sealedSecrets,
  secretOrigin,
  storeSecrets,
} from '../../agents/config/changes.ts';
import { configView } from '../../agents/config/config-view.ts';
import { requireOverridableAgent } from '../../agents/config/configured-agent.ts';

/** Sets the caller's overrides; the owner's values do not change (BOTCONF-4 … BOTCONF-6, CUSTOM-9). */
export default preparedUnit('setMyBotConfig', {
  withheld: ['secrets'],
  async prepare(
    { tx, caller },
    { username, config, secrets = {} },
    { keys, config: { providers } }: Needs<'keys' | 'config'>,
  ) {
    const { agent, user } = await requireOverridableAgent({ tx, caller }, username);
    const origin = await secretOrigin(tx, agent.key);
    const fields = await fieldsOf(tx, agent, { providers });
    const isProvider = agent.agent_provider !== null;
    const place = { agentKey: agent.key, accountKey: user.key, layer: 'override', isProvider, origin } as const;
    return {
      fields,
      config: config && checkedConfig(fields.config, config),
      secrets: sealedSecrets(keys, place, fields.secret, secrets),
    };
  },
  locks: everything,
  async handle(call, { username, server }, { fields, config, secrets }) {
    // The caller may have left the conversation, or the bot may have been deleted, since `prepare`.
    const { agent, user } = await requireOverridableAgent(call, username);
    await assertSeenServer(call.tx, agent, { userKey: user.key, seen: server, changes: secrets });
    if (config) await call.tx.run(putOverride, agent.key, user.key, JSON.stringify(config));
    await storeSecrets(call.tx, 'override', { agentKey: agent.key, accountKey: user.key }, secrets);
    return configView(call, agent, fields);
  },
});
