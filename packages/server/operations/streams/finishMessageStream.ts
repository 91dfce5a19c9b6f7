import type { Input, Message } from '@parley/protocol';
import { live, type ReadCall } from '../../call.ts';
import { conflict } from '../../errors.ts';
import { RawJson } from '../../json.ts';
import { finishOf, noStream, ownStream } from './own-stream.ts';

export default live('finishMessageStream', finish);

/** While one is being stored its repeat is answered with it; another one waits for what becomes of it (STREAM-21). */
async function finish(call: ReadCall, input: Input<'finishMessageStream'>): Promise<RawJson<Message>> {
  const earlier = finishOf(call, input.message_id);
  if (!earlier) return new RawJson(await end(call, input));
  if (earlier.asked === JSON.stringify(input)) return new RawJson(await earlier.done);
  await earlier.done.catch(() => {});
  return finish(call, input);
}

async function end(call: ReadCall, input: Input<'finishMessageStream'>): Promise<string> {
  const stream = ownStream(call, input.message_id) ?? (await noStream(call, input.message_id));
  const status = input.status ?? 'complete';
  const done = call.service
    .closeStream(stream, {
      status,
      ...(input.text !== undefined && { text: input.text }),
      ...(status !== 'complete' && { finishReason: status === 'failed' ? 'bot' : 'stopped' }),
      ...(input.attachments && { attachments: input.attachments }),
      ...(input.usage && { usage: input.usage }),
    })
    .then((result) => {
      if (result === undefined) throw conflict('the stream is closed');
      return result;
    })
    .finally(() => (stream.finish = null));
  stream.finish = { asked: JSON.stringify(input), done };
  return done;
}
