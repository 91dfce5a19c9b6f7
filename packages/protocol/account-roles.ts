/** What a person may do for the whole service, from the least to the most (ROLE-1). */
export const accountRoles = ['guest', 'member', 'moderator', 'admin', 'owner'] as const;
export type AccountRole = (typeof accountRoles)[number];

/** Whether a role may do what `least` may. */
export const isAtLeast = (role: AccountRole, least: AccountRole): boolean =>
  accountRoles.indexOf(role) >= accountRoles.indexOf(least);
