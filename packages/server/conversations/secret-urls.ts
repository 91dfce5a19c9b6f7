// Addresses that contain a secret: absolute if PUBLIC_URL is set, otherwise a path.

const below = (publicUrl: URL | null, path: string): string =>
  `${publicUrl === null ? '' : publicUrl.origin + publicUrl.pathname.replace(/(?<!\/)\/+$/, '')}${path}`;

/** The address of an invite's page (INVITE-3). */
export const inviteUrl = (publicUrl: URL | null, token: string): string => below(publicUrl, `/join/${token}`);

/** The address with which people create an account. What stands after `#` is sent to no server (ENTER-2). */
export const serviceInviteUrl = (publicUrl: URL | null, token: string): string => below(publicUrl, `/#invite=${token}`);

/** The page on which a person sets a new password (ENTER-9). */
export const passwordUrl = (publicUrl: URL | null, token: string): string => below(publicUrl, `/password#${token}`);

/** The address that takes the posts of a webhook (WEBHOOK-2). */
export const webhookUrl = (publicUrl: URL | null, token: string): string => below(publicUrl, `/hooks/${token}`);
