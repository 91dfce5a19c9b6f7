import type { ToolServer } from '@parley/protocol';
import { t } from '../words/t.ts';

/** With whose account the tools of a server are used, as the owner of the agent and others read it. */
export const identityWords = (isOwner: boolean): Readonly<Record<ToolServer['identity'], string>> => ({
  asker: t('With the account of the person who asks'),
  owner: isOwner
    ? t('With your account, for everyone who may use the agent')
    : t('With the account of the agent’s owner'),
  none: t('Without an account'),
});

/** Which calls ask the person first. */
export const approvalWords: Readonly<Record<ToolServer['approval'], string>> = {
  writes: t('Asks before it changes something'),
  always: t('Asks before every use'),
  never: t('Does not ask'),
};
