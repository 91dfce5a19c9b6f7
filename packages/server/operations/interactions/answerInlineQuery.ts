import { read } from '../handler.ts';
import { forbidden, notFound } from '../../core/errors.ts';

export default read('answerInlineQuery', ({ caller, service }, { query_id, results = [] }) => {
  if (caller.kind !== 'agent') throw forbidden('only a bot answers inline queries');
  if (!service.inlineQueries.answer(caller.key, query_id, results)) throw notFound('inline query');
  return undefined;
});
