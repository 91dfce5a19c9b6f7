import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import { cleanApiKey } from '../agents/api-key.ts';
import { MAX_DAILY_TOKENS, type SealedKey } from '../agents/house.ts';
import { KeyRing, maskedTail, secretBinding } from '../secrets/seal.ts';
import { readConfig } from '../service/config.ts';
import { DEFAULT_DAILY_TOKENS, DEFAULT_DAILY_TOKENS_OF_ALL } from '../service/house-config.ts';
import { requests } from '../units/admin-requests.ts';
import type { AdminContext, Desk } from './command.ts';
import { Failure, Misuse } from './failure.ts';
import { request, type Site } from './reach.ts';

interface Given {
  provider: string;
  model?: string;
  keyFile?: string;
  keyStdin?: true;
  dailyTokens?: string;
  dailyTokensAll?: string;
}

export function houseCommands(house: Command, desk: Desk, env: AdminContext['env']): void {
  const { say, site } = desk;
  house
    .command('set')
    .description('give everyone an agent that answers, at the cost of this key; what is not named keeps its default')
    .requiredOption('--provider <name>', 'provider_a or provider_b')
    .option('--model <name>', 'by default that of the provider')
    .option('--key-stdin', 'read the key from standard input')
    .option('--key-file <file>', 'read the key from a file; without a key the agent keeps the one that it has')
    .option('--daily-tokens <number>', 'maximum tokens of each person a day (UTC)')
    .option('--daily-tokens-all <number>', 'maximum tokens of all people together a day (UTC)')
    .action(async (given: Given) => {
      const terms = termsOf(given);
      const apiKey = await keyOf(given, desk);
      // It is sealed here: the request, which may be logged, holds no key.
      const key = apiKey === null ? null : await sealKey(site(), env, { provider: terms.provider, apiKey });
      await request(site(), 'setHouseAgent', { ...terms, key });
      say('The house’s agent answers everyone. New people get a chat with it; others find it as Assistant.');
      if (env['HOUSE_AGENT'])
        say('HOUSE_AGENT is set in the environment: its values count again after the next start.');
    });
  house
    .command('show')
    .description('show the settings of the house’s agent, and what it has used today; of the key its last characters')
    .action(async () => {
      const shown = await request(site(), 'showHouseAgent', {});
      if (!shown) return say('The house’s agent is off.');
      say(`provider: ${shown.provider}`);
      say(`model: ${shown.model ?? 'that of the provider'}`);
      say(`key: ${shown.keyTail}`);
      say(`tokens of each person a day: ${shown.dailyTokens}`);
      say(`tokens of all people a day: ${shown.dailyTokensOfAll}, used today: ${shown.usedToday}`);
      say(`set by: ${shown.source === 'environment' ? 'HOUSE_AGENT in the environment' : 'this command'}`);
    });
  house
    .command('remove')
    .description('switch the house’s agent off and delete its key; the chats with it stay')
    .action(async () => {
      await request(site(), 'removeHouseAgent', {});
      say('The house’s agent is off, and its key is deleted.');
      if (env['HOUSE_AGENT']) say('HOUSE_AGENT is set in the environment: the next start switches it on again.');
    });
}

function termsOf({ provider, model, dailyTokens, dailyTokensAll }: Given) {
  const each = numberOf('--daily-tokens', dailyTokens, DEFAULT_DAILY_TOKENS);
  const all = numberOf('--daily-tokens-all', dailyTokensAll, Math.max(each, DEFAULT_DAILY_TOKENS_OF_ALL));
  if (all < each) throw new Misuse('--daily-tokens-all must not be less than --daily-tokens');
  const terms = requests.setHouseAgent.omit({ key: true }).safeParse({
    provider,
    model: model ?? null,
    dailyTokens: each,
    dailyTokensOfAll: all,
  });
  if (!terms.success) throw new Misuse('--provider must be provider_a or provider_b, --model a name of a model');
  return terms.data;
}

function numberOf(option: string, given: string | undefined, fallback: number): number {
  const number = Number(given ?? fallback);
  if (!/^\d+$/.test(given ?? '1') || number < 1 || number > MAX_DAILY_TOKENS)
    throw new Misuse(`${option} must be a whole number from 1 to ${MAX_DAILY_TOKENS}`);
  return number;
}

/** Null if none is given. Errors do not quote it. */
async function keyOf({ keyFile, keyStdin }: Given, { stdin }: Desk): Promise<string | null> {
  if (keyFile !== undefined && keyStdin) throw new Misuse('give --key-file or --key-stdin, not both');
  if (keyFile === undefined && !keyStdin) return null;
  const key = cleanApiKey(keyFile === undefined ? await text(stdin) : readFileSync(keyFile, 'utf8'), 'the key');
  if (key === '') throw new Misuse('the key is empty');
  return key;
}

async function sealKey(
  site: Site,
  env: AdminContext['env'],
  { provider, apiKey }: { provider: 'provider_a' | 'provider_b'; apiKey: string },
): Promise<SealedKey> {
  const { dataDir } = site;
  // Without this check, reading the configuration would create a new key, with which the service opens nothing.
  if (!env['SECRETS_KEY'] && !existsSync(join(dataDir, 'secrets.key')))
    throw new Failure(`there is neither SECRETS_KEY nor a secrets.key in ${dataDir}: start the service once`);
  const keys = new KeyRing(readConfig({ ...env, DATA_DIR: dataDir }).secretKeys);
  const house = await request(site, 'prepareHouseAgent', { provider });
  if (!house)
    throw new Failure('a person has the username parley, which is the service’s own: there can be no house agent');
  const { agentKey, ownerKey } = house;
  return { sealed: keys.seal(apiKey, secretBinding(agentKey, ownerKey, 'api_key')), tail: maskedTail(apiKey) };
}
