import { ApiError } from '../api.ts';
import type { Client } from '../client.ts';

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'no such host',
};

/**
 * A WebSocket does not say why it failed, but an HTTP call does. Null if the token is refused, which the client
 * handles.
 */
export async function whyNoConnection({ api }: Pick<Client, 'api'>): Promise<string | null> {
  try {
    await api.getMe();
    return 'answers, but opens no WebSocket';
  } catch (error) {
    if (error instanceof ApiError) return error.status === 401 ? null : `cannot be used now: ${error.description}`;
    const code = codeOf(error);
    return `does not answer${code === undefined ? '' : ` (${reasons[code] ?? code})`}`;
  }
}

/** `fetch` puts the reason into the error's `cause`. */
function codeOf(error: unknown): string | undefined {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  const code: unknown = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' ? code : undefined;
}
