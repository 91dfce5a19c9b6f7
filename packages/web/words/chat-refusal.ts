import { ApiError } from '@parley/client';
import { errorText } from './error-text.ts';
import { t } from './t.ts';

/** Why a chat with a person or an agent could not be opened. */
export function chatRefusal(error: unknown, isAgent: boolean): string {
  if (!(error instanceof ApiError) || error.code !== 'forbidden') return errorText(error);
  return isAgent
    ? t('This agent is private. Ask its owner to make it public or to add it to a group.')
    : t('You can’t start a conversation with this person.');
}
