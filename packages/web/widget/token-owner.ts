import { createApi } from '@parley/client';

export interface TokenOwner {
  readonly username: string;
  /** The time on the service's clock; NaN if a proxy has removed it. */
  readonly serviceNowMs: number;
}

/** Whose token it is. Throws if the service refuses the token or cannot be reached. */
export async function ownerOf(token: string): Promise<TokenOwner> {
  let date = '';
  const api = createApi({
    url: location.origin,
    token,
    async fetch(input, init) {
      const response = await fetch(input, init);
      date = response.headers.get('date') ?? '';
      return response;
    },
  });
  const { username } = await api.getMe();
  return { username, serviceNowMs: Date.parse(date) };
}
