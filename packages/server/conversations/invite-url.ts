/** The address of an invite's page: absolute if PUBLIC_URL is set, otherwise a path (INVITE-3). */
export const inviteUrl = (publicUrl: URL | null, token: string): string =>
  `${publicUrl === null ? '' : publicUrl.origin + publicUrl.pathname.replace(/\/+$/, '')}/join/${token}`;
