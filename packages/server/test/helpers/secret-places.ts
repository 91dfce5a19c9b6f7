import { createPrivateKey, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { World } from '@parley/testing';

/** A unique secret; also valid as a provider's key in a header. */
export const newSecret = (what: string): string => `${what.replaceAll(' ', '-')}-${randomBytes(12).toString('hex')}`;

/** The secret parts of a configured key: the value of its variable, and the private number in that value. */
export function privateParts(name: string, env: Readonly<Record<string, string>>): [string, string | Buffer][] {
  const value = env[name] ?? '';
  const { d = '' } = createPrivateKey(Buffer.from(value, 'base64').toString()).export({ format: 'jwk' });
  return [
    [name, value],
    [`the number of ${name}`, Buffer.from(d, 'base64url')],
  ];
}

/** The forms in which a secret could be stored or sent, without its tail, which may be shown. */
function formsOf(secret: string | Buffer): Buffer[] {
  const bytes = Buffer.from(secret);
  // Whole groups of three bytes: their base64 is a prefix of the base64 of a longer text.
  const part = bytes.subarray(0, 3 * Math.floor((bytes.length - 4) / 3));
  const texts = new Set([part.toString('base64'), part.toString('base64url'), part.toString('hex')]);
  return [part, ...[...texts].map((text) => Buffer.from(text))];
}

/** The names of the secrets that occur in these bytes. */
export const secretsIn = (place: Buffer, secrets: ReadonlyMap<string, string | Buffer>): string[] =>
  [...secrets].filter(([, secret]) => formsOf(secret).some((form) => place.includes(form))).map(([name]) => name);

/** Results that are meant to contain a secret: their field names, and the field with the secret. */
const gifts: Readonly<Record<string, string>> = {
  'account,session,token': 'token',
  'bot,token': 'token',
  token: 'token',
  'config,secrets,user': 'secrets',
  link: 'link',
};

/** An invite contains its token in two fields. */
const withoutToken = (invite: object): object => ({ ...invite, token: undefined, url: undefined });
const isInvite = (value: unknown): value is Record<'token' | 'url' | 'uses', unknown> =>
  typeof value === 'object' && value !== null && 'token' in value && 'url' in value && 'uses' in value;

/** Splits a reply into the secret that it is meant to return, and the rest. */
export function withoutGift(text: string): { rest: string; gift: unknown } {
  // Everything that the service sends is JSON: a reply or a frame.
  const message = JSON.parse(text) as { result?: Record<string, unknown> };
  const result: Record<string, unknown> | undefined = message.result;
  if (isInvite(result))
    return { rest: JSON.stringify({ ...message, result: withoutToken(result) }), gift: result['token'] };
  const items: unknown = result?.['items'];
  const invites = Array.isArray(items) ? items.filter(isInvite) : [];
  if (invites.length > 0)
    return {
      rest: JSON.stringify({ ...message, result: { items: invites.map(withoutToken) } }),
      gift: invites.map(({ token }) => token),
    };
  const field =
    gifts[
      Object.keys(message.result ?? {})
        .toSorted()
        .join()
    ];
  if (field === undefined || !message.result) return { rest: text, gift: undefined };
  const { [field]: gift, ...rest } = message.result;
  // The token stands behind `#` of a link.
  const inLink = field === 'link' ? String(gift).split('#')[1] : undefined;
  return { rest: JSON.stringify({ ...message, result: rest }), gift: inLink ?? gift };
}

/** All files in the data folder. */
export const storedFiles = ({ dataDir }: World): [name: string, bytes: Buffer][] =>
  readdirSync(dataDir, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => [name, readFileSync(join(dataDir, name))]);
