/** Where a socket of an account is opened; relays take the room from the address, the service ignores it. */
export function socketPath(token: string, options: { room?: string; caps?: string } = {}): string {
  const query = new URLSearchParams({ token, ...options });
  return `/api/ws?${query.toString()}`;
}
