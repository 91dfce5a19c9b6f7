import { codeIn, Visitor } from '@parley/testing/providers/oidc-visitor.ts';
import type { Cast } from './play-session.ts';

/** Somebody signs in at an issuer. */
export async function signInElsewhere({ world, recorder }: Pick<Cast, 'world' | 'recorder'>): Promise<void> {
  const visitor = new Visitor(world);
  const code = codeIn(await visitor.callback()) ?? '';
  recorder.cookie = visitor.cookie ?? '';
  await recorder.call('', 'exchangeSignIn', { code });
  recorder.cookie = '';
}
