import type { OwnTool } from '@parley/protocol/built-in-tools';
import { t } from './t.ts';

/** What the service's own tools let an agent do, in the app's words. */
export const ownToolLabels: Readonly<Record<OwnTool, string>> = {
  search_messages: t('Search the conversation'),
  read_file: t('Read files further'),
  list_people: t('See who takes part'),
  current_time: t('Look at the time'),
  remind: t('Set reminders'),
  ask: t('Ask questions'),
  remember: t('Remember things'),
  forget: t('Forget things'),
  search_my_conversations: t('Search all conversations of the asker'),
  draw_picture: t('Draw pictures'),
  run_code: t('Run code'),
  search_library: t('Search its library'),
};

/** The label of one of them; a name that the app does not know stays. */
export const ownToolLabel = (name: string): string =>
  (ownToolLabels as Readonly<Record<string, string | undefined>>)[name] ?? name;
