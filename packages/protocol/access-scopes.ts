/** What an access token may be allowed to do; none includes another (ACCESS-6). */
export const tokenScopes = ['read', 'send', 'manage'] as const;
export type TokenScope = (typeof tokenScopes)[number];
