/** The path of an account's socket; relays read the room from it, the service ignores it. */
export function socketPath(token: string, options: { room?: string; caps?: string } = {}): string {
  const query = new URLSearchParams({ token, ...options });
  return `/api/ws?${query.toString()}`;
}
