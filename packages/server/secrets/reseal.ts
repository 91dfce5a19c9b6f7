import { idText } from '../core/ids.ts';
import type { SqliteConnection } from '../store/engines/sqlite.ts';
import { resealInvite, sealedInvites } from '../store/invites.ts';
import { resealOidcSession, sealedOidcSessions } from '../store/oidc.ts';
import { resealSecondFactor, sealedSecondFactors } from '../store/second-factors.ts';
import { type SecretLayer, secretsOf, type StoredSecret } from '../store/secrets.ts';
import { resealServiceKey, sealedServiceKeys } from '../store/service-keys.ts';
import type { Awaitable, Sql } from '../store/sql.ts';
import { resealStep, type SealedContent, sealedContents, sealedSteps } from '../store/tool-calls.ts';
import { resealToolCredential, toolCredentialsAfter } from '../store/tool-servers.ts';
import { resealSubscription, sealedSubscriptions } from '../store/webhook-subscriptions.ts';
import {
  callBinding,
  factorBinding,
  inviteBinding,
  oidcBinding,
  type KeyRing,
  secretBinding,
  serviceKeyBinding,
  stepBinding,
  subscriptionBinding,
  toolBinding,
} from './seal.ts';

export interface Resealed {
  /** Values that were sealed under an older key. */
  resealed: number;
  /** Values that were already sealed under the first key. */
  already: number;
  /** Values that no key opens; they are left unchanged. */
  failed: number;
}

/** Values per transaction, few enough that a running service can write in between. */
const BATCH = 200;

/** A sealed value, and the row that contains it. */
interface Sealed {
  sealed: string;
  binding: string;
  /**
   * Returns 0 if the value was replaced meanwhile; the new value is kept, and is already sealed under the service's
   * first key.
   */
  replace: (sealed: string) => Awaitable<number>;
}

/** Returns the next values in order; fewer than BATCH means they are the last. */
type NextBatch = (tx: Sql) => Promise<Sealed[]>;

/**
 * Seals every secret again under the first key, so that older keys can be removed (BOTCONF-16). Can be repeated, and
 * can run beside the service, whose own writes win.
 */
export async function resealAll(
  sql: Sql,
  keys: KeyRing,
  together: (batch: () => Promise<boolean>) => Promise<boolean>,
): Promise<Resealed> {
  const counts: Resealed = { resealed: 0, already: 0, failed: 0 };
  const kinds = [
    secretsIn('owner'),
    secretsIn('override'),
    inviteTokens(),
    serviceKeys(),
    webhookSecrets(),
    toolCredentials(),
    ...(['arguments', 'result', 'input'] as const).map(contentsOfCalls),
    stepsOfTurns(),
    issuerTokens(),
    secondFactors(),
  ];
  for (const next of kinds) {
    let isLast = false;
    while (!isLast) isLast = await together(() => resealBatch(sql, keys, next, counts));
  }
  return counts;
}

function secretsIn(layer: SecretLayer): NextBatch {
  const { after, reseal } = secretsOf[layer];
  let last: StoredSecret = { agent_key: 0, account_key: 0, field: '', sealed: '', origin: null };
  return async (tx) => {
    const rows = await tx.all(after, last.agent_key, last.account_key, last.field, BATCH);
    last = rows.at(-1) ?? last;
    return rows.map(({ agent_key, account_key, field, sealed: former, origin }) => ({
      sealed: former,
      binding: secretBinding(agent_key, account_key, field, layer, origin),
      replace: (sealed) => tx.run(reseal, agent_key, account_key, field, former, sealed),
    }));
  };
}

function inviteTokens(): NextBatch {
  let last = 0;
  return async (tx) => {
    const rows = await tx.all(sealedInvites, last, BATCH);
    last = rows.at(-1)?.key ?? last;
    return rows.map(({ key, token_hash, sealed: former }) => ({
      sealed: former,
      binding: inviteBinding(token_hash),
      replace: (sealed) => tx.run(resealInvite, key, former, sealed),
    }));
  };
}

function webhookSecrets(): NextBatch {
  let last = 0;
  return async (tx) => {
    const rows = await tx.all(sealedSubscriptions, last, BATCH);
    last = rows.at(-1)?.key ?? last;
    return rows.map(({ key, id, sealed: former }) => ({
      sealed: former,
      binding: subscriptionBinding(id),
      replace: (sealed) => tx.run(resealSubscription, key, former, sealed),
    }));
  };
}

/** What calls of tools were asked, have answered, or need to go on. */
function contentsOfCalls(what: SealedContent): NextBatch {
  const { after, reseal } = sealedContents[what];
  let last = 0;
  return async (tx) => {
    const rows = await tx.all(after, last, BATCH);
    last = rows.at(-1)?.key ?? last;
    return rows.map(({ key, id, sealed: former }) => ({
      sealed: former,
      binding: callBinding(idText(id), what),
      replace: (sealed) => tx.run(reseal, key, former, sealed),
    }));
  };
}

function stepsOfTurns(): NextBatch {
  let last = { turn_key: 0, step: -1 };
  return async (tx) => {
    const rows = await tx.all(sealedSteps, last.turn_key, last.step, BATCH);
    last = rows.at(-1) ?? last;
    return rows.map(({ turn_key, step, blocks: former }) => ({
      sealed: former,
      binding: stepBinding(turn_key, step),
      replace: (sealed) => tx.run(resealStep, turn_key, step, former, sealed),
    }));
  };
}

/** Refresh tokens of issuers; those of sign-ins that are under way last a minute. */
function issuerTokens(): NextBatch {
  let last = 0;
  return async (tx) => {
    const rows = await tx.all(sealedOidcSessions, last, BATCH);
    last = rows.at(-1)?.session_key ?? last;
    return rows.map((row) => ({
      sealed: row.sealed,
      binding: oidcBinding(row),
      replace: (sealed) => tx.run(resealOidcSession, row.session_key, row.sealed, sealed),
    }));
  };
}

function secondFactors(): NextBatch {
  let last = 0;
  return async (tx) => {
    const rows = await tx.all(sealedSecondFactors, last, BATCH);
    last = rows.at(-1)?.account_key ?? last;
    return rows.map(({ account_key: key, sealed: former }) => ({
      sealed: former,
      binding: factorBinding(key),
      replace: (sealed) => tx.run(resealSecondFactor, key, former, sealed),
    }));
  };
}

function toolCredentials(): NextBatch {
  let last: [server: number, account: number] = [0, 0];
  return async (tx) => {
    const rows = await tx.all(toolCredentialsAfter, ...last, BATCH);
    const end = rows.at(-1);
    if (end) last = [end.server_key, end.account_key];
    return rows.map(({ server_key, account_key, origin, sealed: former }) => ({
      sealed: former,
      binding: toolBinding(server_key, account_key, origin),
      replace: (sealed) => tx.run(resealToolCredential, server_key, account_key, former, sealed),
    }));
  };
}

function serviceKeys(): NextBatch {
  let last = '';
  return async (tx) => {
    const rows = await tx.all(sealedServiceKeys, last, BATCH);
    last = rows.at(-1)?.name ?? last;
    return rows.map(({ name, sealed: former }) => ({
      sealed: former,
      binding: serviceKeyBinding(name),
      replace: (sealed) => tx.run(resealServiceKey, name, former, sealed),
    }));
  };
}

/** Returns true if this was the last batch. */
async function resealBatch(tx: Sql, keys: KeyRing, next: NextBatch, counts: Resealed): Promise<boolean> {
  const batch = await next(tx);
  for (const { sealed, binding, replace } of batch) {
    const secret = opened(keys, sealed, binding);
    if (secret === undefined) counts.failed += 1;
    else if (keys.isCurrent(sealed)) counts.already += 1;
    else counts.resealed += await replace(keys.seal(secret, binding));
  }
  return batch.length < BATCH;
}

/** Returns undefined if no key opens the value; the caller reports the count. */
function opened(keys: KeyRing, sealed: string, binding: string): string | undefined {
  try {
    return keys.open(sealed, binding);
  } catch {
    return undefined;
  }
}

/** Runs a batch in one transaction of SQLite. */
export async function inTransaction<Value>(connection: SqliteConnection, work: () => Promise<Value>): Promise<Value> {
  connection.exec('BEGIN IMMEDIATE');
  try {
    const value = await work();
    connection.exec('COMMIT');
    return value;
  } catch (error) {
    if (connection.inTransaction) connection.exec('ROLLBACK');
    throw error;
  }
}
