// Alerts, inline queries, actions of components.
import { read } from '../handler.ts';
import type { Needs } from '../rooms.ts';
import { forbidden, notFound } from '../../core/errors.ts';

export default read(
  'answerInlineQuery',
  ({ caller }, { query_id, results = [] }, { inlineQueries }: Needs<'inlineQueries'>) => {
    if (caller.kind !== 'agent') throw forbidden('only a bot answers inline queries');
    if (!inlineQueries.answer(caller.key, query_id, results)) throw notFound('inline query');
    return undefined;
  },
  { worksOn: ({ query_id: id }) => ({ kind: 'inlineQuery', id }) },
);
