import { ApiError } from '../api.ts';
import type { Client } from '../client.ts';

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no such host',
};

/** A socket does not tell why it failed: a call does. Null where it is the token, which the client deals with. */
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

/** `fetch` has the reason within its own error. */
function codeOf(error: unknown): string | undefined {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  const code: unknown = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' ? code : undefined;
}
