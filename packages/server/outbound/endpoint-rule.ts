import { ConfigError } from '../core/config-error.ts';

/** Which addresses people may give their agents: every public one, and origins that the operator lists (CONFIG-24). */
export interface EndpointRule {
  readonly isPublicAllowed: boolean;
  /** These may be private and use http. */
  readonly origins: ReadonlySet<string>;
}

const EVERY_PUBLIC = 'public';
const NONE = 'none';

/** Parses AGENT_ENDPOINTS. */
export function readEndpointRule(value: (name: string) => string | undefined): EndpointRule {
  const given = value('AGENT_ENDPOINTS') ?? EVERY_PUBLIC;
  const items = given.trim() === NONE ? [] : given.split(',').map((item) => item.trim());
  const origins = items.filter((item) => item !== EVERY_PUBLIC);
  for (const origin of origins) assertOrigin(origin);
  return {
    isPublicAllowed: items.includes(EVERY_PUBLIC),
    origins: new Set(origins.map((item) => new URL(item).origin)),
  };
}

/** The error does not repeat a text that may contain a password. */
function assertOrigin(text: string): void {
  const url = URL.parse(text);
  const isOrigin = url && /^https?:$/.test(url.protocol) && [url.origin, `${url.origin}/`].includes(text.toLowerCase());
  if (!isOrigin)
    throw new ConfigError(
      'AGENT_ENDPOINTS must be public, none, or origins separated by commas, such as http://127.0.0.1:11434',
    );
}
