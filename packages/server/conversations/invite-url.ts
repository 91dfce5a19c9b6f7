/** Where a browser follows an invite: an address of its own if the service knows the one that people use (INVITE-3). */
export const inviteUrl = (publicUrl: URL | null, token: string): string =>
  `${publicUrl === null ? '' : publicUrl.origin + publicUrl.pathname.replace(/\/+$/, '')}/join/${token}`;
