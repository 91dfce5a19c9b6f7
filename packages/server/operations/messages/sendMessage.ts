import { unit } from '../handler.ts';
import { locksToSend, sendMessage } from '../../conversations/send-message.ts';

export default unit('sendMessage', { locks: locksToSend }, sendMessage);
