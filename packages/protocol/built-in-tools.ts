/** The name under which the ledger and people know the service's own tools; servers of agents have none with a capital (TOOL-1). */
export const OWN_TOOLS = 'Parley';

/** What the service's own tools are called in English; apps may say it in their own language (OWN-1). */
export const builtInToolTitles = {
  search_messages: 'Search the conversation',
  read_file: 'Read a file',
  list_people: 'List the people',
  current_time: 'Look at the time',
  remind: 'Set a reminder',
  ask: 'Ask a question',
  remember: 'Remember something',
  forget: 'Forget something',
  search_my_conversations: 'Search your conversations',
  draw_picture: 'Draw a picture',
  run_code: 'Run code',
  search_library: 'Search the library',
} as const;

/** The service's own tools: those that an owner chooses (OWN-1), and the one of agents with a library (KNOW-7). */
export type OwnTool = keyof typeof builtInToolTitles;
// The keys of the literal above.
export const ownTools = Object.keys(builtInToolTitles) as readonly OwnTool[];
