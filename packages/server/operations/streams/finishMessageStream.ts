import type { Input, Message } from '@parley/protocol';
import { live, type ReadCall } from '../handler.ts';
import { conflict } from '../../core/errors.ts';
import { RawJson } from '../../core/json.ts';
import { endOf, noStream, ownStream } from '../../agents/own-stream.ts';

/** While an end is being stored another call waits for what becomes of it: it may be the only one (STREAM-21). */
export default live('finishMessageStream', async (call, input) => {
  for (let earlier = endOf(call, input.message_id); earlier; earlier = endOf(call, input.message_id)) await earlier;
  return finish(call, input);
});

async function finish(call: ReadCall, input: Input<'finishMessageStream'>): Promise<RawJson<Message>> {
  const stream = ownStream(call, input.message_id) ?? (await noStream(call, input.message_id));
  const status = input.status ?? 'complete';
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  stream.end = ended;
  try {
    const result = await call.service.closeStream(stream, {
      status,
      ...(input.text !== undefined && { text: input.text }),
      ...(status !== 'complete' && { finishReason: status === 'failed' ? 'bot' : 'stopped' }),
      ...(input.attachments && { attachments: input.attachments }),
      ...(input.usage && { usage: input.usage }),
    });
    if (result === undefined) throw conflict('the stream is closed');
    return new RawJson(result);
  } finally {
    stream.end = null;
    resolve();
  }
}
