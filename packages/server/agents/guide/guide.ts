import { pause, type Clock } from '../../core/clock.ts';
import { guideReply } from './guide-reply.ts';
import { findInDocs } from './passages.ts';
import type { AgentProvider } from '../providers/provider.ts';

export { guideReply } from './guide-reply.ts';

const delayMs = 25;
/** Longer replies come in larger pieces, so that none takes longer than about a second and a half. */
const maxPieces = 60;

/** `parley:guide`: answers without a key; its turns run like those of every agent (GUIDE-1). */
export function guideProvider(clock: Clock): AgentProvider {
  return {
    async *stream(request, signal) {
      const questions = request.messages.flatMap(({ role, text }) => (role === 'user' ? text : []));
      const reply = guideReply(questions.at(-1) ?? '', questions.slice(0, -1), findInDocs);
      for (const [index, text] of piecesOf(reply).entries()) {
        if (index > 0) await pause(clock, delayMs, signal);
        signal.throwIfAborted();
        yield { type: 'text', text };
      }
      yield { type: 'end', reason: 'stop' };
    },
  };
}

function piecesOf(reply: string): string[] {
  // Japanese and Chinese have hardly any spaces.
  const words = reply.match(/\S{1,16}\s*/gu) ?? [];
  const size = Math.ceil(words.length / maxPieces);
  return Array.from({ length: Math.ceil(words.length / size) }, (_, index) =>
    words.slice(index * size, (index + 1) * size).join(''),
  );
}
