// oxlint-disable typescript/no-unsafe-assignment, typescript/no-unsafe-call, typescript/no-unsafe-member-access -- the package has no types
import { freePort } from '../servers/free-port.ts';

const CLIENT = { id: 'parley', secret: 'a secret of the client' };

/** A certified OpenID Connect issuer on loopback, with pages of its own, at which any name and password sign in. */
export async function startRealIssuer(parleyUrl: string) {
  // @ts-expect-error -- it has no types
  const { default: Provider } = await import('oidc-provider');
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const provider = new Provider(url, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [`${parleyUrl}/oidc/corp/callback`],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        backchannel_logout_uri: `${parleyUrl}/oidc/corp/logout`,
        backchannel_logout_session_required: true,
        post_logout_redirect_uris: [`${parleyUrl}/`],
      },
    ],
    claims: { openid: ['sub'], profile: ['preferred_username', 'name'], email: ['email'] },
    features: { backchannelLogout: { enabled: true }, devInteractions: { enabled: true } },
    cookies: { keys: ['a key of the test'] },
    // Its own way to the client refuses loopback.
    fetch: async (address: string, { dispatcher: _dispatcher, ...options }: RequestInit & { dispatcher?: unknown }) =>
      fetch(address, options),
    findAccount: (_context: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, preferred_username: id, name: `${id} of Corp`, email: `${id}@corp.example` }),
    }),
    issueRefreshToken: () => true,
  });
  const server = provider.listen(port, '127.0.0.1');
  return {
    url,
    config: { id: 'corp', name: 'Corp', issuer: url, client_id: CLIENT.id, client_secret: CLIENT.secret },
    async [Symbol.asyncDispose](): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
