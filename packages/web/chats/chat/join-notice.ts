/** What a notice says about a person who joined a group by an invite (INVITE-13); null for any other notice. */
export function joinOf(service: unknown): { readonly inviter: string | null } | null {
  if (!isRecord(service) || service['kind'] !== 'joined_by_invite') return null;
  const { data } = service;
  const inviter = isRecord(data) ? data['invited_by'] : undefined;
  return { inviter: typeof inviter === 'string' ? inviter : null };
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
