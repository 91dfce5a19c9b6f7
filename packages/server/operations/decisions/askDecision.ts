// Decisions: what people are asked, and their answers.
import { askDecision } from '../../conversations/ask-decision.ts';
import { locksToSendAlone } from '../../conversations/send-message.ts';
import { unit } from '../handler.ts';

export default unit('askDecision', { locks: locksToSendAlone }, askDecision);
