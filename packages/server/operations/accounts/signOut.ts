import { unit } from '../../call.ts';
import { endSessions, requireSession } from './end-sessions.ts';

export default unit('signOut', (call) => endSessions(call, [requireSession(call.caller)]));
