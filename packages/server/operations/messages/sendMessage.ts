import { locksToSend, sendMessage } from '../../conversations/send-message.ts';
import { preparedUnit } from '../handler.ts';
import { isReadyText, readText } from '../read-text.ts';

export default preparedUnit('sendMessage', {
  locks: locksToSend,
  isReady: ({ text }) => isReadyText(text),
  prepare: readText,
  handle: (call, input, reading) => sendMessage(call, input, { reading }),
});
