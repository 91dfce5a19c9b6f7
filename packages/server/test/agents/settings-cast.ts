import { randomBytes } from 'node:crypto';
import type { ApiError } from '@parley/client';
import type { Params } from '@parley/protocol';
import { Actor, type World } from '@parley/testing';

/** The settings that the cast's bot declares. */
export const schema = {
  template: 'trader',
  config_schema: [
    { key: 'symbol', label: 'Symbol', type: 'string' },
    { key: 'limit', label: 'Limit', type: 'number', default: '10' },
    { key: 'dry_run', label: 'Dry run', type: 'boolean' },
    { key: 'side', label: 'Side', type: 'select', options: ['buy', 'sell'] },
    { key: 'notes', label: 'Notes', type: 'text', required: true },
  ],
  secret_schema: [
    { key: 'token', label: 'Token', type: 'string' },
    { key: 'pin', label: 'PIN', type: 'number' },
  ],
} satisfies Partial<Params<'createBot'>>;

export async function makeBot(world: World, owner: Actor, slug = 'trader'): Promise<Actor> {
  const { bot, token } = await owner.api.createBot({ slug, display_name: slug, ...schema });
  return new Actor(world, bot.username, token);
}

/** Ann with a bot, and Bob, who shares a group with it; Carol knows neither. */
export async function cast(world: World) {
  const { ann, bob, carol } = await world.people('ann', 'bob', 'carol');
  const bot = await makeBot(world, ann);
  const group = await world.group(ann, bob);
  await ann.api.addGroupAgent({ chat_id: group.id, agent_username: bot.username, always_on: true });
  return { ann, bob, carol, bot, group, username: bot.username };
}

/** Status and field of a call's refusal. */
export const refusal = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'done',
    ({ status, parameters: { field } }: ApiError) => (typeof field === 'string' ? `${status} ${field}` : String(status)),
  );

export const newKey = (): string => `sk-${randomBytes(12).toString('hex')}`;
