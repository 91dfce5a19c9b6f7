import { accessSync, constants, mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { readAgentPrices } from '../agents/providers/agent-prices.ts';
import { type ClusterConfig, readCluster } from './cluster-config.ts';
import { type HouseConfig, readHouse } from './house-config.ts';
import { secretKeyText } from './secret-key-file.ts';
import { closeToOthers } from './close-to-others.ts';
import { ConfigError } from '../core/config-error.ts';
import { type Apns, missingVapid, readApns, readVapid, type Vapid } from '../push/push-config.ts';
import { isLoopbackName } from '../rules/loopback.ts';
import { type OidcIssuer, readOidc } from '../people/oidc/oidc-config.ts';
import { readRates } from '../calls/rate-limits-config.ts';
import type { Rates } from '../calls/rate-limits.ts';
import type { Rate } from '../rules/prices.ts';
import {
  type EndpointRule,
  readEndpointRule,
  readJwksRule,
  readLinkRule,
  readToolRule,
  readWebhookRule,
} from '../outbound/endpoint-rule.ts';
import type { SecretKey } from '../secrets/seal.ts';
import { CHECKPOINT_PAGES } from '../store/engines/sqlite.ts';

export { ConfigError };

interface ProviderConfig {
  baseUrl: string;
  model: string;
}

export interface Config extends ClusterConfig {
  host: string;
  port: number;
  /** With `databaseUrl` it only contains uploads in progress and the socket of the admin command. */
  dataDir: string;
  production: boolean;
  devTokens: boolean;
  /** Additional hosts that accept development tokens: lower case, with or without a port. */
  devTokenHosts: string[];
  publicUrl: URL | null;
  trustedProxies: string[];
  signUp: 'open' | 'invite' | 'closed';
  /** Which accounts a query of getUsers finds (ACCT-8). */
  directory: 'open' | 'shared';
  /** Where people sign in by OpenID Connect. */
  oidc: OidcIssuer[];
  secretKeys: SecretKey[];
  providers: { provider_a: ProviderConfig; provider_b: ProviderConfig };
  /** The agent whose key the operator pays for; null without one in the environment. */
  house: HouseConfig | null;
  /** The model that transcribes on the server of `provider_b`; null: one that the server lists. */
  transcriptionModel: string | null;
  /** The model that draws pictures on the operator's server; null: the first fitting one that it lists. */
  imageModel: string | null;
  /** The addresses that people may give their agents. */
  agentEndpoints: EndpointRule;
  /** The addresses of MCP servers that people may give their agents. */
  toolEndpoints: EndpointRule;
  webhookEndpoints: EndpointRule;
  /** The addresses from which public keys of backends are fetched. */
  jwksEndpoints: EndpointRule;
  linkPreviews: EndpointRule;
  fileSearch: boolean;
  /** Whether agents may run code (CONFIG-32). */
  runsCode: boolean;
  /** Whether a node that hangs is ended (CLUSTER-53). */
  watchdog: boolean;
  /** What models cost at the providers, by name. */
  agentPrices: ReadonlyMap<string, Rate>;
  /** Origins whose pages may call the API. */
  allowedOrigins: string[];
  /** Origins whose pages may show the widget. */
  widgetOrigins: string[];
  rateLimits: boolean;
  rates: Rates;
  /** Null unless all VAPID variables are set. */
  vapid: Vapid | null;
  /** VAPID variables that are missing although others are set: web pushes are skipped. */
  missingVapid: string[];
  /** `WEB_PUSH=made`: without the VAPID variables the service makes a key of its own (NOTIF-12). */
  makesVapid: boolean;
  /** Null if pushes to iOS are not configured. */
  apns: Apns | null;
  pushAllowPrivate: boolean;
  maxFileBytes: number;
  /** Memory shared by all incomplete bodies and frames. */
  maxUnfinishedBytes: number;
  /** Maximum number of unauthenticated connections per address. */
  maxUnknownConnections: number;
  /** Storage quota of a human with its bots. */
  maxStoredBytes: number;
  /** Disk space reserved for the database. */
  minFreeBytes: number;
  /** Size of the embedded database's write-ahead log, in pages, at which it is copied into the database. */
  checkpointPages: number;
  logLevel: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';
}

type Environment = Readonly<Record<string, string | undefined>>;

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
const DEFAULT_FILE_BYTES = 100 * 1024 * 1024;
const MAX_FILE_BYTES = 4 * 1024 ** 3;
const DEFAULT_UNFINISHED_BYTES = 64 * 1024 * 1024;
const DEFAULT_UNKNOWN_CONNECTIONS = 64;
const MAX_CONNECTIONS = 1_000_000;
const DEFAULT_STORED_BYTES = 10 * 1024 ** 3;
const DEFAULT_FREE_BYTES = 1024 ** 3;
/** Maximum of CHECKPOINT_PAGES: a write-ahead log of 0.9 GiB. SQLite writes it at the start as one value. */
const MAX_CHECKPOINT_PAGES = 240_000;
/** Maximum of a configured number of bytes: larger than any disk. */
const MAX_BYTES = 2 ** 50;

/** The data folder of an embedded installation. */
export const dataDirOf = (env: Environment): string => resolve(env['DATA_DIR'] || './data');

/** Checks every value; throws ConfigError with the variable's name. */
export function readConfig(env: Environment): Config {
  const value = (name: string): string | undefined => (env[name] === '' ? undefined : env[name]);
  const oneOf = <Value extends string>(name: string, values: readonly Value[], fallback: Value): Value => {
    const given = value(name) ?? fallback;
    const found = values.find((candidate) => candidate === given);
    if (found === undefined) throw new ConfigError(`${name} must be one of ${values.join(', ')}, not "${given}"`);
    return found;
  };
  const flag = (name: string, fallback: boolean): boolean => oneOf(name, ['0', '1'], fallback ? '1' : '0') === '1';
  const url = (name: string, fallback: string | null): URL | null => {
    const given = value(name) ?? fallback;
    if (given === null) return null;
    if (!URL.canParse(given) || !/^https?:$/.test(new URL(given).protocol))
      throw new ConfigError(`${name} must be an http or https URL, not "${given}"`);
    return new URL(given);
  };
  const list = (name: string): string[] =>
    (value(name) ?? '')
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '');
  const origins = (name: string): string[] =>
    list(name).map((origin) => {
      if (!URL.canParse(origin) || new URL(origin).origin !== origin)
        throw new ConfigError(`${name} must be origins such as https://app.example, not "${origin}"`);
      return origin;
    });
  const wholeNumber = (name: string, fallback: number, most: number): number => {
    const given = value(name) ?? String(fallback);
    if (!/^[1-9]\d{0,14}$/.test(given) || Number(given) > most)
      throw new ConfigError(`${name} must be a whole number from 1 to ${most}, not "${given}"`);
    return Number(given);
  };
  const provider = (letter: 'A' | 'B', base: string, model: string): ProviderConfig => ({
    baseUrl: (url(`PROVIDER_${letter}_BASE_URL`, base)?.href ?? base).replace(/(?<!\/)\/+$/, ''),
    model: value(`PROVIDER_${letter}_MODEL`) ?? model,
  });

  const host = value('HOST') ?? '127.0.0.1';
  const port = value('PORT') ?? '8080';
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) throw new ConfigError(`PORT must be 0 to 65535, not "${port}"`);
  const production = value('NODE_ENV') === 'production';
  const publicUrl = url('PUBLIC_URL', null);
  const devTokens = flag('DEV_TOKENS', isLoopbackName(host) && !production && publicUrl === null);
  if (devTokens && production) throw new ConfigError('DEV_TOKENS must be 0 when NODE_ENV is production');
  const cluster = readCluster(value);

  const dataDir = dataDirOf(env);
  prepareFolder(dataDir);
  return {
    host,
    port: Number(port),
    ...cluster,
    dataDir,
    production,
    devTokens,
    devTokenHosts: list('DEV_TOKEN_HOSTS').map((name) => {
      if (!/^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i.test(name))
        throw new ConfigError(`DEV_TOKEN_HOSTS must be host names such as parley or parley:8080, not "${name}"`);
      return name.toLowerCase();
    }),
    publicUrl,
    trustedProxies: list('TRUSTED_PROXIES'),
    signUp: oneOf('SIGN_UP', ['open', 'invite', 'closed'], 'open'),
    directory: oneOf('DIRECTORY', ['open', 'shared'], 'open'),
    oidc: readOidc(value, isLoopbackName),
    secretKeys: parseSecretKeys(value('SECRETS_KEY')) ?? parseSecretKeys(secretKeyText(dataDir)) ?? [],
    providers: {
      provider_a: provider('A', 'https://api.anthropic.com/v1', 'claude-sonnet-4-5'),
      provider_b: provider('B', 'https://api.openai.com/v1', 'gpt-5.1'),
    },
    house: readHouse(value, wholeNumber),
    transcriptionModel:
      value('PROVIDER_B_TRANSCRIPTION_MODEL') ?? (value('PROVIDER_B_BASE_URL') ? null : 'gpt-4o-mini-transcribe'),
    imageModel: value('PROVIDER_B_IMAGE_MODEL') ?? (value('PROVIDER_B_BASE_URL') ? null : 'gpt-image-1'),
    agentEndpoints: readEndpointRule(value),
    toolEndpoints: readToolRule(value),
    webhookEndpoints: readWebhookRule(value),
    jwksEndpoints: readJwksRule(value),
    linkPreviews: readLinkRule(value),
    fileSearch: flag('FILE_SEARCH', true),
    runsCode: flag('RUN_CODE', true),
    watchdog: flag('WATCHDOG', true),
    agentPrices: readAgentPrices(value),
    allowedOrigins: origins('ALLOWED_ORIGINS'),
    widgetOrigins: origins('WIDGET_ORIGINS'),
    rateLimits: flag('RATE_LIMITS', true),
    rates: readRates(value),
    vapid: readVapid(value),
    missingVapid: missingVapid(value),
    makesVapid: value('WEB_PUSH') !== undefined && oneOf('WEB_PUSH', ['made'], 'made') === 'made',
    apns: readApns(value),
    pushAllowPrivate: flag('PUSH_ALLOW_PRIVATE', false),
    maxFileBytes: wholeNumber('MAX_FILE_BYTES', DEFAULT_FILE_BYTES, MAX_FILE_BYTES),
    maxUnfinishedBytes: wholeNumber('MAX_UNFINISHED_BYTES', DEFAULT_UNFINISHED_BYTES, MAX_BYTES),
    maxUnknownConnections: wholeNumber('MAX_UNKNOWN_CONNECTIONS', DEFAULT_UNKNOWN_CONNECTIONS, MAX_CONNECTIONS),
    maxStoredBytes: wholeNumber('MAX_STORED_BYTES', DEFAULT_STORED_BYTES, MAX_BYTES),
    minFreeBytes: wholeNumber('MIN_FREE_BYTES', DEFAULT_FREE_BYTES, MAX_BYTES),
    checkpointPages: wholeNumber('CHECKPOINT_PAGES', CHECKPOINT_PAGES, MAX_CHECKPOINT_PAGES),
    logLevel: oneOf('LOG_LEVEL', LEVELS, 'info'),
  };
}

export function parseSecretKeys(text: string | undefined): SecretKey[] | null {
  if (text === undefined) return null;
  const keys = text.split(',').map((item): SecretKey => {
    // Buffer ignores characters that are not base64, so a mistyped key would silently be another key.
    const [, id = '1', encoded] = /^\s*(?:([\w-]{1,32})\s*:\s*)?([A-Za-z0-9+/_-]{43}=?)\s*$/.exec(item) ?? [];
    if (encoded === undefined)
      throw new ConfigError('SECRETS_KEY must be 32 bytes in base64, or id:base64, several separated by commas');
    return { id, bytes: Buffer.from(encoded, 'base64') };
  });
  if (new Set(keys.map(({ id }) => id)).size !== keys.length)
    throw new ConfigError('SECRETS_KEY has two keys of the same id');
  return keys;
}

function prepareFolder(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    closeToOthers(dataDir);
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new ConfigError(`DATA_DIR: ${error instanceof Error ? error.message : String(error)}`);
  }
}
