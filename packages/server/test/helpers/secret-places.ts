import { createPrivateKey, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { World } from '@parley/testing';

/** Something that nobody else could come upon by chance; also a key that a header can carry. */
export const newSecret = (what: string): string => `${what.replaceAll(' ', '-')}-${randomBytes(12).toString('hex')}`;

/** What is secret of a key of the configuration: the variable, and the number within. */
export function privateParts(name: string, env: Readonly<Record<string, string>>): [string, string | Buffer][] {
  const value = env[name] ?? '';
  const { d = '' } = createPrivateKey(Buffer.from(value, 'base64').toString()).export({ format: 'jwk' });
  return [
    [name, value],
    [`the number of ${name}`, Buffer.from(d, 'base64url')],
  ];
}

/** The forms in which a secret could lie or travel. Its tail may be shown; all that comes before it may not. */
function formsOf(secret: string | Buffer): Buffer[] {
  const bytes = Buffer.from(secret);
  // Base64 of whole groups of three is also how base64 of more begins.
  const part = bytes.subarray(0, 3 * Math.floor((bytes.length - 4) / 3));
  const texts = new Set([part.toString('base64'), part.toString('base64url'), part.toString('hex')]);
  return [part, ...[...texts].map((text) => Buffer.from(text))];
}

/** Names of the secrets that are found in a place. */
export const secretsIn = (place: Buffer, secrets: ReadonlyMap<string, string | Buffer>): string[] =>
  [...secrets].filter(([, secret]) => formsOf(secret).some((form) => place.includes(form))).map(([name]) => name);

/** The fields of the answers whose job it is to show a secret, and which field holds it. */
const gifts: Readonly<Record<string, string>> = {
  'account,session,token': 'token',
  'bot,token': 'token',
  token: 'token',
  'config,secrets,user': 'secrets',
};

/** An invite has its token in two fields. */
const withoutToken = (invite: object): object => ({ ...invite, token: undefined, url: undefined });
const isInvite = (value: unknown): value is Record<'token' | 'url' | 'uses', unknown> =>
  typeof value === 'object' && value !== null && 'token' in value && 'url' in value && 'uses' in value;

/** A reply without what it is there to show, and that. */
export function withoutGift(text: string): { rest: string; gift: unknown } {
  // What the service sends is JSON: a reply or a frame.
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
  return { rest: JSON.stringify({ ...message, result: rest }), gift };
}

/** All files that the service keeps, as they lie on the disk. */
export const storedFiles = ({ dataDir }: World): [name: string, bytes: Buffer][] =>
  readdirSync(dataDir, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => [name, readFileSync(join(dataDir, name))]);
