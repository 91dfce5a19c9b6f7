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
} as const;
