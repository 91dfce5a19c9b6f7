import { ApiError, type Client } from '@parley/client';
import type { Provider } from '@parley/protocol';
import { makers } from './makers.ts';
import { t } from '../../words/t.ts';

/** What the app says about a saved key, and whether the provider refused it. */
export interface Checked {
  readonly text: string;
  readonly isRefused: boolean;
}

/**
 * The answer of a provider to a key: how many models it lists, or the error of getModels; null if the service could not
 * be reached.
 */
export function checkText(name: string, answer: number | Pick<ApiError, 'code' | 'description'> | null): Checked {
  if (typeof answer === 'number')
    return answer > 0
      ? { text: t('The key works.'), isRefused: false }
      : {
          text: t('{name} accepts the key, but gives it no models. Check its permissions there.', { name }),
          isRefused: true,
        };
  if (answer?.code === 'forbidden')
    return /\((?:401|403)\)/.test(answer.description)
      ? {
          text: t('{name} doesn’t accept this key. Check that you copied all of it, or make a new one.', { name }),
          isRefused: true,
        }
      : {
          text: t('{name} rejected the request: {description}', { name, description: answer.description }),
          isRefused: true,
        };
  if (answer?.code === 'rate_limited')
    return {
      text: t('The key is saved. {name} gets too many requests with it right now; try it later.', { name }),
      isRefused: false,
    };
  if (answer?.code === 'not_found')
    return { text: t('The key is saved. This server can’t check it without a chat.'), isRefused: false };
  return {
    text: t('The key is saved. {name} can’t be reached right now, so it wasn’t checked.', { name }),
    isRefused: false,
  };
}

/** Tries the user's key of a provider by asking for its models, which costs nothing. */
export async function checkKey(client: Client, provider: Provider): Promise<Checked> {
  const { name } = makers[provider];
  try {
    const { items } = await client.call('getModels', { provider });
    return checkText(name, items.length);
  } catch (error) {
    return checkText(name, error instanceof ApiError ? error : null);
  }
}
