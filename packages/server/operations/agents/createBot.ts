import { type FieldSpec, limits } from '@parley/protocol';
import { ofCaller } from '../../commits/unit-locks.ts';
import { preparedUnit } from '../handler.ts';
import type { Needs } from '../rooms.ts';
import { conflict, invalid } from '../../core/errors.ts';
import { isBlank, problemOf } from '../../rules/field-values.ts';
import { isReservedName, RESERVED } from '../../rules/reserved-names.ts';
import { newToken } from '../../secrets/tokens.ts';
import { accountByKey, addAccount } from '../../store/accounts.ts';
import { accountRecord } from '../../rendering/accounts.ts';
import { countBots, insertBot } from '../../store/sessions.ts';
import { askPassword } from '../../people/prove-password.ts';
import { requireHuman } from '../../agents/default-agent.ts';

/** Creates `<caller>:<slug>`; the slugs of the provider agents are taken (BOT-1). */
export default preparedUnit('createBot', {
  withheld: ['password'],
  async prepare(
    call,
    { display_name, config_schema: config = [], secret_schema: secret = [], password },
    rooms: Needs<'read' | 'clock' | 'passwordTries'>,
  ) {
    requireHuman(call.caller);
    if (isReservedName(display_name)) throw invalid('display_name', RESERVED);
    assertDistinct('config_schema', config);
    // Both lists together: a key is either a secret or a value, not both.
    assertDistinct('secret_schema', [...config, ...secret]);
    assertDefaultsFit(config);
    assertNoDefaults(secret);
    await askPassword(rooms, call, password);
    return newToken('mb_');
  },
  // Locks the owner, because the owner's bots are counted.
  locks: ofCaller,
  audit: ({ slug }, _result, { username }) => ({ target: `${username}:${slug}` }),
  async handle(call, input, { token, hash }) {
    const { tx, caller } = call;
    const bots = (await tx.get(countBots, caller.key))?.count ?? 0;
    if (bots >= limits.botsPerOwner) throw invalid('slug', `would name bot ${limits.botsPerOwner + 1} of this account`);
    const key = await addAccount(call, {
      username: `${caller.username}:${input.slug}`,
      kind: 'agent',
      displayName: input.display_name,
      parentKey: caller.key,
      isPublic: input.is_public ?? false,
    });
    const bot = key === null ? undefined : await tx.get(accountByKey, key);
    if (!bot) throw conflict('this slug is taken');
    const { template = null, config_schema: config = [], secret_schema: secret = [] } = input;
    await tx.run(insertBot, bot.key, hash, template, JSON.stringify(config), JSON.stringify(secret));
    return { bot: accountRecord(bot), token };
  },
});

function assertDistinct(field: string, specs: readonly FieldSpec[]): void {
  const seen = new Set<string>();
  for (const { key } of specs) {
    if (seen.has(key)) throw invalid(field, `has the key ${key} twice`);
    seen.add(key);
  }
}

/**
 * A bot runs with a field's default if neither its owner nor the asker set a value, so defaults are checked like values
 * (BOTCONF-19).
 */
function assertDefaultsFit(config: readonly FieldSpec[]): void {
  for (const [at, field] of config.entries()) {
    if (field.default === undefined || isBlank(field.default)) continue;
    const problem = problemOf(field, field.default);
    if (problem !== undefined) throw invalid(`config_schema.${at}.default`, problem);
  }
}

/** Refuses defaults of secrets: everyone who can see a bot can see its schema (BOTCONF-19). */
function assertNoDefaults(secret: readonly FieldSpec[]): void {
  const at = secret.findIndex((field) => field.default !== undefined);
  if (at >= 0) throw invalid(`secret_schema.${at}.default`, 'must not be set for a secret: everyone would see it');
}
