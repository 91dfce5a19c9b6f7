import { builtInToolTitles, type OwnTool } from '@parley/protocol/built-in-tools';
import { t } from './t.ts';

const shown: Readonly<Record<OwnTool, string>> = {
  search_messages: t('Search the conversation'),
  read_file: t('Read a file'),
  list_people: t('List the people'),
  current_time: t('Look at the time'),
  remind: t('Set a reminder'),
  ask: t('Ask a question'),
  remember: t('Remember something'),
  forget: t('Forget something'),
  search_my_conversations: t('Search your conversations'),
  draw_picture: t('Draw a picture'),
  run_code: t('Run code'),
  search_library: t('Search the library'),
};

const isOwn = (name: string): name is OwnTool => Object.hasOwn(shown, name);

/**
 * What a tool is called: one of the service's own in the app's words (WEB-430), one of a server or a bot in theirs. Only
 * what has both name and title of one of the service's own is called like it.
 */
export const toolTitle = ({ name, title = name }: { name: string; title?: string | undefined }): string =>
  isOwn(name) && title === builtInToolTitles[name] ? shown[name] : title;
