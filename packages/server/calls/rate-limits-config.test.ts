import { expect, test } from 'vitest';
import { ConfigError } from '../core/config-error.ts';
import { readRates } from './rate-limits-config.ts';
import { defaultRates } from './rate-limits.ts';

const read = (variables: Readonly<Record<string, string>>) => readRates((name) => variables[name]);

test('CONFIG-11, LIMIT-1, LIMIT-2: without a variable each rate is its default', () => {
  expect(read({})).toEqual(defaultRates);
  expect(defaultRates).toEqual({
    messages: { burst: 200, refillMs: 50 },
    webhooks: { burst: 60, refillMs: 1_000 },
    writes: { burst: 200, refillMs: 50 },
    userTokens: { burst: 100, refillMs: 50 },
    uploads: { burst: 60, refillMs: 1_000 },
    joins: { burst: 60, refillMs: 1_000 },
    addressJoins: { burst: 600, refillMs: 100 },
    profiles: { burst: 20, refillMs: 3_000 },
    models: { burst: 20, refillMs: 3_000 },
    previews: { burst: 60, refillMs: 200 },
    signIns: { burst: 5, refillMs: 12_000 },
    passwords: { burst: 60, refillMs: 1_000 },
    refusals: { burst: 1_000, refillMs: 20 },
  });
});

test('CONFIG-11: each rate can be set', () => {
  const given = {
    RATE_MESSAGES_PER_S: '100',
    RATE_MESSAGES_BURST: '300',
    RATE_WRITES_PER_S: '2',
    RATE_WRITES_BURST: '4',
    RATE_USER_TOKENS_PER_S: '4',
    RATE_USER_TOKENS_BURST: '8',
    RATE_UPLOADS_PER_S: '5',
    RATE_UPLOADS_BURST: '7',
    RATE_JOINS_PER_MINUTE: '30',
    RATE_ADDRESS_JOINS_PER_MINUTE: '60',
    RATE_PROFILES_PER_MINUTE: '6',
    RATE_MODELS_PER_MINUTE: '30',
    RATE_WEBHOOKS_PER_MINUTE: '30',
    RATE_PREVIEWS_PER_S: '2',
    RATE_PREVIEWS_BURST: '9',
    RATE_SIGN_INS_PER_MINUTE: '10',
    RATE_PASSWORDS_PER_MINUTE: '600',
    RATE_REFUSALS_PER_S: '1',
    RATE_REFUSALS_BURST: '5',
  };
  expect(read(given)).toEqual({
    messages: { burst: 300, refillMs: 10 },
    webhooks: { burst: 30, refillMs: 2_000 },
    writes: { burst: 4, refillMs: 500 },
    userTokens: { burst: 8, refillMs: 250 },
    uploads: { burst: 7, refillMs: 200 },
    joins: { burst: 30, refillMs: 2_000 },
    addressJoins: { burst: 60, refillMs: 1_000 },
    models: { burst: 30, refillMs: 2_000 },
    profiles: { burst: 6, refillMs: 10_000 },
    previews: { burst: 9, refillMs: 500 },
    signIns: { burst: 10, refillMs: 6_000 },
    passwords: { burst: 600, refillMs: 100 },
    refusals: { burst: 5, refillMs: 1_000 },
  });
});

test.each(['0', '-1', '1.5', '1e3', 'many', '100001', ' 5'])(
  'CONFIG-1, CONFIG-11: an invalid rate "%s" is an error that names the variable',
  (wrong) => {
    for (const name of ['RATE_MESSAGES_PER_S', 'RATE_WRITES_BURST', 'RATE_SIGN_INS_PER_MINUTE']) {
      expect(() => read({ [name]: wrong })).toThrow(ConfigError);
      expect(() => read({ [name]: wrong })).toThrow(name);
    }
  },
);
