/**
 * The name under which the app shows an account. Anyone may call an agent anything, so its owner's username, which
 * nobody else can have, always stands beside the name (WEB-63).
 */
export function shownName({ kind, username, display_name }: Named): string {
  const colon = username.indexOf(':');
  return kind === 'agent' && colon > 0 ? `${display_name} · ${username.slice(0, colon)}` : display_name;
}

export interface Named {
  readonly kind: 'human' | 'agent';
  readonly username: string;
  readonly display_name: string;
}
