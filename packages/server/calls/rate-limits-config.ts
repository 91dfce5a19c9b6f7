import { ConfigError } from '../core/config-error.ts';
import { defaultRates, type Rate, type Rates } from './rate-limits.ts';

type Value = (name: string) => string | undefined;

const SECOND = 1_000;
const MINUTE = 60_000;
const MOST = 100_000;

/** The rates of LIMIT-1 and LIMIT-2; each has a default that a variable can change (CONFIG-11). */
export function readRates(value: Value): Rates {
  const count = (name: string, fallback: number): number => {
    const given = value(name) ?? String(fallback);
    if (!/^[1-9]\d{0,5}$/.test(given) || Number(given) > MOST)
      throw new ConfigError(`${name} must be a whole number from 1 to ${MOST}, not "${given}"`);
    return Number(given);
  };
  const perSecond = (name: string, { burst, refillMs }: Rate): Rate => ({
    burst: count(`RATE_${name}_BURST`, burst),
    refillMs: SECOND / count(`RATE_${name}_PER_S`, SECOND / refillMs),
  });
  // One burst may use the calls of a whole minute.
  const perMinute = (name: string, { burst }: Rate): Rate => {
    const times = count(`RATE_${name}_PER_MINUTE`, burst);
    return { burst: times, refillMs: MINUTE / times };
  };
  return {
    messages: perSecond('MESSAGES', defaultRates.messages),
    webhooks: perMinute('WEBHOOKS', defaultRates.webhooks),
    writes: perSecond('WRITES', defaultRates.writes),
    previews: perSecond('PREVIEWS', defaultRates.previews),
    uploads: perSecond('UPLOADS', defaultRates.uploads),
    userTokens: perSecond('USER_TOKENS', defaultRates.userTokens),
    joins: perMinute('JOINS', defaultRates.joins),
    addressJoins: perMinute('ADDRESS_JOINS', defaultRates.addressJoins),
    profiles: perMinute('PROFILES', defaultRates.profiles),
    models: perMinute('MODELS', defaultRates.models),
    signIns: perMinute('SIGN_INS', defaultRates.signIns),
    passwords: perMinute('PASSWORDS', defaultRates.passwords),
    refusals: perSecond('REFUSALS', defaultRates.refusals),
  };
}
