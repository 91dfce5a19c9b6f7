import type { FolderRule } from '@parley/protocol';
import { t } from '../../words/t.ts';

/** The kinds of conversations that a folder's rule can include, in the order of the form. */
export const kindNames: Readonly<Record<FolderRule['kinds'][number], string>> = {
  people: t('Chats with people'),
  agents: t('Chats with agents'),
  groups: t('Groups'),
};
