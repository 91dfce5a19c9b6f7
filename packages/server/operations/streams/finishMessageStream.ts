import { live } from '../../call.ts';
import { conflict } from '../../errors.ts';
import { RawJson } from '../../json.ts';
import { noStream, ownStream } from './own-stream.ts';

export default live('finishMessageStream', async (call, input) => {
  const stream = ownStream(call, input.message_id) ?? (await noStream(call, input.message_id));
  const { service } = call;
  const status = input.status ?? 'complete';
  const result = await service.closeStream(stream, {
    status,
    ...(input.text !== undefined && { text: input.text }),
    ...(status !== 'complete' && { finishReason: status === 'failed' ? 'bot' : 'stopped' }),
    ...(input.attachments && { attachments: input.attachments }),
    ...(input.usage && { usage: input.usage }),
  });
  if (result === undefined) throw conflict('the stream is closed');
  return new RawJson(result);
});
