import { isShort } from '../../rules/text-reading.ts';
import { locksToSend, sendMessage } from '../../conversations/send-message.ts';
import { preparedUnit } from '../handler.ts';
import { readLongText } from '../read-long-text.ts';

export default preparedUnit('sendMessage', {
  locks: locksToSend,
  isReady: ({ text }) => isShort(text),
  prepare: readLongText,
  handle: (call, input, reading) => sendMessage(call, input, {}, reading),
});
