import { unit } from '../handler.ts';
import { endSessions, requireSession } from '../../people/end-sessions.ts';

export default unit('signOut', (call) => endSessions(call, [requireSession(call.caller)]));
