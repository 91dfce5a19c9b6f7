import { hash } from 'node:crypto';
import type { World } from '@parley/testing';
import type { Recorder } from './recorder.ts';

const BACK = 'https://program.example/back';
const SECRET = 'a secret of the program, of 43 characters at least';

/** A program asks for consent, and exchanges its code. */
export async function letProgramIn(recorder: Recorder, { url }: Pick<World, 'url'>, token: string): Promise<void> {
  const registered = await fetch(`${url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Claude', redirect_uris: [BACK] }),
  });
  const { client_id } = (await registered.json()) as { client_id: string }; // of a registration
  const request = {
    client_id,
    redirect_uri: BACK,
    response_type: 'code',
    code_challenge: hash('sha256', SECRET, 'base64url'),
    code_challenge_method: 'S256',
  } as const;
  await recorder.call(token, 'getProgramRequest', { ...request, scope: 'read send' });
  const granted = await recorder.call(token, 'grantProgram', { ...request, scopes: ['read'], expires_in: 2_592_000 });
  const code = new URL(granted.url).searchParams.get('code') ?? '';
  await recorder.call('', 'issueProgramTokens', {
    grant_type: 'authorization_code',
    client_id,
    code,
    code_verifier: SECRET,
    redirect_uri: BACK,
  });
}
