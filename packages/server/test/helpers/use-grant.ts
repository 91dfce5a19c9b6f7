import { hash } from 'node:crypto';
import type { Actor, World } from '@parley/testing';

const BACK = 'https://program.example/back';
const SECRET = 'x'.repeat(43);

/** A person lets a program in, which renews its token, and then uses a refresh token twice: the grant ends. */
export async function useGrant({ url }: Pick<World, 'url'>, person: Actor): Promise<void> {
  const json = { 'content-type': 'application/json' };
  const body = JSON.stringify({ client_name: 'A program', redirect_uris: [BACK] });
  const registered = await fetch(`${url}/oauth/register`, { method: 'POST', headers: json, body });
  const { client_id } = (await registered.json()) as { client_id: string }; // of a registration
  const granted = await person.api.grantProgram({
    client_id,
    redirect_uri: BACK,
    response_type: 'code',
    code_challenge: hash('sha256', SECRET, 'base64url'),
    code_challenge_method: 'S256',
    scopes: ['read'],
  });
  const code = new URL(granted.url).searchParams.get('code') ?? '';
  const { api } = person;
  const exchange = {
    grant_type: 'authorization_code',
    client_id,
    code,
    code_verifier: SECRET,
    redirect_uri: BACK,
  } as const;
  const { refresh_token } = await api.issueProgramTokens(exchange);
  const renew = { grant_type: 'refresh_token', client_id, refresh_token } as const;
  await api.issueProgramTokens(renew);
  await api.issueProgramTokens(renew).catch(() => {});
}
