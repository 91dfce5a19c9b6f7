import { ConfigError } from '../core/config-error.ts';

/** Which addresses may be asked: every public one, and origins that the operator lists. */
export interface EndpointRule {
  readonly isPublicAllowed: boolean;
  /** These may be private and use http. */
  readonly origins: ReadonlySet<string>;
}

/** How a variable says "every public address" and "no address". */
interface Words {
  everyPublic: string;
  none: string;
}

type Value = (name: string) => string | undefined;

/** Parses AGENT_ENDPOINTS: the addresses that people may give their agents (CONFIG-24). */
export const readEndpointRule = (value: Value): EndpointRule =>
  ruleOf('AGENT_ENDPOINTS', value, { everyPublic: 'public', none: 'none' });

/** Parses WEBHOOK_ENDPOINTS: the addresses that people may give webhook subscriptions (WEBHOOK-28). */
export const readWebhookRule = (value: Value): EndpointRule =>
  ruleOf('WEBHOOK_ENDPOINTS', value, { everyPublic: 'public', none: 'none' });

/** Parses JWKS_ENDPOINTS: the addresses from which public keys of backends are fetched (CONFIG-28). */
export const readJwksRule = (value: Value): EndpointRule =>
  ruleOf('JWKS_ENDPOINTS', value, { everyPublic: 'public', none: 'none' });

/** Parses TOOL_ENDPOINTS: the addresses of the MCP servers that people may give their agents (CONFIG-30). */
export const readToolRule = (value: Value): EndpointRule =>
  ruleOf('TOOL_ENDPOINTS', value, { everyPublic: 'public', none: 'none' });

/** Parses LINK_PREVIEWS: the addresses whose pages are read for previews (CONFIG-26). */
export const readLinkRule = (value: Value): EndpointRule =>
  ruleOf('LINK_PREVIEWS', value, { everyPublic: '1', none: '0' });

function ruleOf(name: string, value: Value, { everyPublic, none }: Words): EndpointRule {
  const given = value(name) ?? everyPublic;
  const items = given.trim() === none ? [] : given.split(',').map((item) => item.trim());
  const origins = items.filter((item) => item !== everyPublic);
  for (const origin of origins)
    if (!isOrigin(origin))
      // The error does not repeat a text that may contain a password.
      throw new ConfigError(
        `${name} must be ${everyPublic}, ${none}, or origins separated by commas, such as http://127.0.0.1:11434`,
      );
  return {
    isPublicAllowed: items.includes(everyPublic),
    origins: new Set(origins.map((item) => new URL(item).origin)),
  };
}

function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && [url.origin, `${url.origin}/`].includes(text.toLowerCase());
}
