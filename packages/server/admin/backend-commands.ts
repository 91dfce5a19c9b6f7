import type { Command } from 'commander';
import { newToken } from '../secrets/tokens.ts';
import { type AdminAnswer, requests } from '../units/admin-requests.ts';
import type { AdminContext, Desk } from './command.ts';
import { Misuse } from './failure.ts';
import { readPublicKeys } from './public-keys.ts';
import { request } from './reach.ts';

const nameInput = requests.setBackendKey.shape.name;

const ownerOption = [
  '--owner <username>',
  'the person for whom it acts: it adds users where this person may add members',
] as const;

interface Trust {
  issuer: string;
  keys: string;
  audience: string;
  owner?: string | null;
}

function checkName(name: string): void {
  if (!nameInput.safeParse(name).success) throw new Misuse(`${name} is not a name of a backend`);
}

function lineOf(backend: AdminAnswer<'listBackends'>[number]): string {
  const { name, owner, users, has_key, issuer, jwks_url: url, jwks_fetched_at: fetchedAt } = backend;
  const facts = [
    `owner ${owner}`,
    `users: ${users}`,
    ...(has_key === 0 ? ['no key'] : []),
    ...(issuer === null ? [] : [`issuer ${issuer}`]),
    ...(url === null ? [] : [`keys from ${url} as of ${new Date(fetchedAt ?? 0).toISOString()}`]),
  ];
  return `${name}  ${facts.join(', ')}`;
}

export function backendCommands(backends: Command, { say, site }: Desk, env: AdminContext['env']): void {
  backends
    .command('key')
    .description('make a key for a backend, instead of its earlier one, and print it; the first key makes the backend')
    .argument('<name>', '1 to 32 of a-z, 0-9, _ and -')
    .option(...ownerOption)
    .action(async (name: string, { owner = null }: { owner?: string | null }) => {
      checkName(name);
      const { token, hash } = newToken('bk_');
      // Only the hash is passed on; the key itself is printed once and stored nowhere.
      await request(site(), 'setBackendKey', { name, owner, keyHash: Buffer.from(hash).toString('hex') });
      say(token);
    });
  backends
    .command('trust')
    .description('accept JWTs that a backend signs for its users, instead of those of its earlier issuer')
    .argument('<name>', '1 to 32 of a-z, 0-9, _ and -')
    .requiredOption('--issuer <text>', 'the claim `iss` of the JWTs')
    .requiredOption('--keys <file or address>', 'the public keys, a JWK Set; at an address the service follows changes')
    .option('--audience <text>', 'the claim `aud` of the JWTs', 'parley')
    .option(...ownerOption)
    .action(async (name: string, { issuer, keys, audience, owner = null }: Trust) => {
      checkName(name);
      const { clock } = site();
      const publicKeys = await readPublicKeys(keys, { env, clock });
      await request(site(), 'setBackendIssuer', { name, owner, issuer, audience, ...publicKeys });
      say(`${name} may sign JWTs as ${issuer} for ${audience}`);
    });
  backends
    .command('revoke')
    .description(
      'make the key and the JWTs of a backend invalid and end all sessions of its users; their accounts stay',
    )
    .argument('<name>')
    .action(async (name: string) => {
      await request(site(), 'revokeBackend', { name });
      let ended = 0;
      for (let more = -1; more !== 0; ended += more) more = await request(site(), 'endBackendSessions', { name });
      say(`${name} is revoked; sessions ended: ${ended}`);
    });
  backends
    .command('list')
    .description('list the backends with their owners and the number of their users')
    .action(async () => {
      for (const backend of await request(site(), 'listBackends', {})) say(lineOf(backend));
    });
}
