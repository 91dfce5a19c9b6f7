import { conflict, invalid } from '../../core/errors.ts';
import { type Field, isBlank, problemOf } from '../../rules/field-values.ts';
import type { Values } from '../../rules/run-config.ts';
import { type KeyRing, maskedTail, secretBinding } from '../../secrets/seal.ts';
import { type SecretLayer, secretsOf } from '../../store/secrets.ts';
import { ownerConfig } from '../../store/bot-config.ts';
import type { Sql } from '../../store/sql.ts';
import { cleanApiKey } from '../api-key.ts';
import { serverOf, originOf } from '../model-server.ts';

/** Replaces the secret of a field, or clears it (`sealed: null`). */
type SecretChange =
  | { field: string; sealed: string; tail: string; origin: string | null }
  | { field: string; sealed: null };

/** Checks given values against their fields; leaves blank values out (BOTCONF-3, BOTCONF-4). */
export function checkedConfig(fields: readonly Field[], given: Values): Record<string, string> {
  const checked: Record<string, string> = {};
  for (const { field, value } of givenFields(fields, given, 'config')) {
    if (isBlank(value)) continue;
    assertFits(field, value, 'config');
    checked[field.key] = value;
  }
  return checked;
}

/**
 * Seals the given secrets before the unit of work, so that units and the store see only sealed values (BOTCONF-5,
 * BOTCONF-15).
 */
export function sealedSecrets(
  keys: KeyRing,
  place: { agentKey: number; accountKey: number; layer: SecretLayer; isProvider: boolean; origin: string | null },
  fields: readonly Field[],
  given: Values,
): SecretChange[] {
  const { agentKey, accountKey, layer, isProvider, origin } = place;
  return givenFields(fields, given, 'secrets').map(({ field, value }): SecretChange => {
    const secret = isProvider ? cleanApiKey(value, `secrets.${field.key}`) : value;
    if (isBlank(secret)) return { field: field.key, sealed: null };
    assertFits(field, secret, 'secrets');
    const sealed = keys.seal(secret, secretBinding(agentKey, accountKey, field.key, layer, origin));
    return { field: field.key, sealed, tail: maskedTail(secret), origin };
  });
}

/** The origin of the server that an agent's keys are for; null for the provider's own, and for bots. */
export const secretOrigin = async (tx: Sql, agentKey: number): Promise<string | null> =>
  originOf((await tx.get(ownerConfig, agentKey))?.base_url ?? null);

const moved = () => conflict('the address of this agent has changed; look at it before you give it a key');

/**
 * 409 unless an asker who sets a key has seen the server that it would be sent to: the owner may have moved the agent
 * after the asker looked (CUSTOM-9).
 */
export async function assertSeenServer(
  tx: Sql,
  agent: { key: number; parent_key: number | null },
  { userKey, seen, changes }: { userKey: number; seen: string | undefined; changes: readonly SecretChange[] },
): Promise<void> {
  const mustKnow = agent.parent_key !== userKey && changes.some(({ sealed }) => sealed !== null);
  if (seen === undefined && !mustKnow) return;
  if (seen !== serverOf((await tx.get(ownerConfig, agent.key))?.base_url ?? null)) throw moved();
}

/**
 * Stores one account's changes; other fields stay as they are. 409 if the agent has got another server since the
 * secrets were sealed: the caller meant them for the former one (CUSTOM-9).
 */
export async function storeSecrets(
  tx: Sql,
  layer: SecretLayer,
  place: { agentKey: number; accountKey: number },
  changes: readonly SecretChange[],
): Promise<void> {
  const origin = await secretOrigin(tx, place.agentKey);
  if (changes.some((change) => change.sealed !== null && change.origin !== origin)) throw moved();
  const { put, remove } = secretsOf[layer];
  for (const change of changes)
    if (change.sealed === null) await tx.run(remove, place.agentKey, place.accountKey, change.field);
    else await tx.run(put, place.agentKey, place.accountKey, change.field, change.sealed, change.tail, change.origin);
}

function givenFields(fields: readonly Field[], given: Values, where: string): { field: Field; value: string }[] {
  return Object.entries(given).map(([key, value]) => ({ field: requireField(fields, key, where), value }));
}

/**
 * The field of this key. The error repeats an unknown key only if it looks like a field name: it may be a pasted
 * secret.
 */
function requireField(fields: readonly Field[], key: string, where: string): Field {
  const field = fields.find((candidate) => candidate.key === key);
  if (field) return field;
  if (/^[a-z][a-z0-9_]{0,63}$/.test(key)) throw invalid(`${where}.${key}`, 'is not in the schema');
  throw invalid(where, 'has a key that is not in the schema');
}

function assertFits(field: Field, value: string, where: string): void {
  const problem = problemOf(field, value);
  if (problem !== undefined) throw invalid(`${where}.${field.key}`, problem);
}
