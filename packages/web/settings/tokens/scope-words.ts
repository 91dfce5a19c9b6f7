// tokens/: access tokens, with which programs act for the user.
import type { TokenScope } from '@parley/protocol';
import { t } from '../../words/t.ts';

/** The scopes in words. */
export const scopeWords: readonly { scope: TokenScope; label: string; hint: string }[] = [
  { scope: 'read', label: t('Read conversations'), hint: t('Your conversations, people, files and search.') },
  { scope: 'send', label: t('Write'), hint: t('Send, edit and delete messages, react, upload files.') },
  { scope: 'manage', label: t('Manage'), hint: t('Start groups, change members, settings and your profile.') },
];
