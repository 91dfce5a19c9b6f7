import { useEffect, useState } from 'react';
import { useSession } from '../../session/session.ts';

/** How long the user must pause typing before the bot is queried. */
const PAUSE_MS = 350;

interface InlineResults {
  readonly isBusy: boolean;
  readonly texts: readonly string[];
}

const none: InlineResults = { isBusy: false, texts: [] };

/** A bot's results for an inline query; none for null. */
export function useInlineResults(chatId: string, asked: { bot: string; query: string } | null): InlineResults {
  const { client } = useSession();
  const [found, setFound] = useState<{ name: string; results: InlineResults }>({ name: '', results: none });
  const bot = asked?.bot ?? '';
  const query = asked?.query ?? '';
  const name = bot === '' ? '' : `${bot} ${query}`;

  useEffect(() => {
    if (bot === '') return undefined;
    const way = new AbortController();
    const timer = setTimeout(() => {
      setFound(({ results: { texts } }) => ({ name, results: { isBusy: true, texts } }));
      client.call('queryInline', { bot_username: bot, chat_id: chatId, query }, { signal: way.signal }).then(
        ({ results }) => way.signal.aborted || setFound({ name, results: { isBusy: false, texts: results } }),
        () => way.signal.aborted || setFound({ name, results: none }),
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      way.abort();
    };
  }, [client, chatId, bot, query, name]);

  // The previous results stay until the next answer.
  return bot === '' || !found.name.startsWith(`${bot} `) ? none : found.results;
}
