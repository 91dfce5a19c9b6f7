import type { Input, Message } from '@parley/protocol';
import { live, type ReadCall } from '../handler.ts';
import type { Needs } from '../rooms.ts';
import { conflict } from '../../core/errors.ts';
import { RawJson } from '../../core/json.ts';
import { endOf, noStream, ownStream } from '../../replies/own-stream.ts';

type EndRooms = Needs<'streams' | 'closeStream'>;

/**
 * A second call waits while a first one stores the end: if the first fails, the second must end the reply (STREAM-21).
 */
export default live(
  'finishMessageStream',
  {
    addsData: ({ text, attachments = [] }) => text !== undefined || attachments.length > 0,
    worksOn: ({ message_id: id }) => ({ kind: 'reply', id }),
  },
  async (call, input, rooms: EndRooms) => {
    const earlierEnd = () => endOf(rooms.streams, call, input.message_id);
    for (let earlier = earlierEnd(); earlier; earlier = earlierEnd()) await earlier;
    return finish(call, rooms, input);
  },
);

async function finish(
  call: ReadCall,
  { streams, closeStream }: EndRooms,
  input: Input<'finishMessageStream'>,
): Promise<RawJson<Message>> {
  const stream = ownStream(streams, call, input.message_id) ?? (await noStream(call, input.message_id));
  const status = input.status ?? 'complete';
  const ended = stream.beginEnd();
  try {
    const result = await closeStream(stream, {
      status,
      ...(input.text !== undefined && { text: input.text }),
      ...(status !== 'complete' && { finishReason: status === 'failed' ? 'bot' : 'stopped' }),
      ...(input.attachments && { attachments: input.attachments }),
      ...(input.usage && { usage: input.usage }),
    });
    if (result === undefined) throw conflict('the stream is closed');
    return new RawJson(result);
  } finally {
    ended();
  }
}
