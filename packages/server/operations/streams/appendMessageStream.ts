import { live } from '../handler.ts';
import type { Needs } from '../rooms.ts';
import { noStream, ownStream } from '../../agents/own-stream.ts';

export default live('appendMessageStream', async (call, input, { streams }: Needs<'streams'>) => {
  const stream = ownStream(streams, call, input.message_id) ?? (await noStream(call, input.message_id));
  if (input.text !== undefined) {
    streams.replace(stream, input.text);
    // After a crash the daemon continues from the stored text, which must not be the replaced one (STREAM-10).
    await streams.checkpoints.store(stream);
  } else streams.appendAt(stream, input.delta ?? '', input.offset ?? 0);
  return {
    cancel_requested: stream.cancelRequested,
    offset: stream.bytes,
    content_revision: stream.currentRevision,
  };
});
