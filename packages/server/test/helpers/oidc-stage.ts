import { Actor, createWorld, type WorldOptions } from '@parley/testing';
import { FakeIssuer } from '@parley/testing/providers/fake-issuer.ts';
import { Visitor } from '@parley/testing/providers/oidc-visitor.ts';

export { codeIn, Visitor } from '@parley/testing/providers/oidc-visitor.ts';

/** A service at which people sign in by an issuer. */
export async function oidcStage({
  issuer: more = {},
  others = [],
  env = {},
  alg = 'RS256',
  ...options
}: WorldOptions & { issuer?: object; others?: readonly object[]; alg?: string } = {}) {
  const issuer = await FakeIssuer.start(alg);
  const world = await createWorld({
    ...options,
    env: { OIDC: JSON.stringify([issuer.config(more), ...others]), ...env },
  });
  const signIn = async (subject: string, claims: Record<string, unknown> = {}, query = ''): Promise<Actor> => {
    issuer.person = { subject, claims: { preferred_username: subject, ...claims } };
    const { token, account } = await new Visitor(world).signIn(query);
    return new Actor(world, account.username, token);
  };
  const logout = async (token: string): Promise<number> => {
    const body = new URLSearchParams({ logout_token: token });
    return (await fetch(new URL('/oidc/corp/logout', world.url), { method: 'POST', body })).status;
  };
  return {
    issuer,
    world,
    signIn,
    logout,
    visitor: () => new Visitor(world),
    async [Symbol.asyncDispose]() {
      await issuer[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}
