// Streaming replies of bots; stopping, continuing and retrying replies of any agent, and the versions of a reply.
import type { Part, PartChange, PartInput } from '@parley/protocol';
import { live } from '../handler.ts';
import type { Needs } from '../rooms.ts';
import type { LiveStream } from '../../replies/live-stream.ts';
import { noStream, ownStream } from '../../replies/own-stream.ts';

/** A new part without a place stands at the end of the text, a known one where it stood (PART-8). */
function partOf(given: PartInput, stream: LiveStream): PartChange {
  const { offset, ...part } = given;
  if (part.type === 'reasoning' && part.append !== undefined) {
    const { id, append, text_offset = 0, duration_ms } = part;
    return { id, append, text_offset, duration_ms };
  }
  const place = offset ?? stream.partOf(part.id)?.offset ?? stream.bytes;
  // Absent fields have no place in the record.
  const fields = Object.entries({ ...part, offset: place }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(fields) as unknown as Part; // what is left has the shape that the declaration checked
}

export default live(
  'appendMessageStream',
  { addsData: true, worksOn: ({ message_id: id }) => ({ kind: 'reply', id }) },
  async (call, input, { streams }: Needs<'streams'>) => {
    const stream = ownStream(streams, call, input.message_id) ?? (await noStream(call, input.message_id));
    if (input.part !== undefined) stream.putPart(partOf(input.part, stream));
    else if (input.text !== undefined) {
      stream.replace(input.text);
      // After a crash the daemon continues from the stored text, which must not be the replaced one (STREAM-10).
      await streams.checkpoints.store(stream);
    } else stream.appendAt(input.delta ?? '', input.offset ?? 0);
    return {
      cancel_requested: stream.cancelRequested,
      offset: stream.bytes,
      content_revision: stream.currentRevision,
    };
  },
);
