import { read } from '../handler.ts';
import { sessionRecord } from '../../rendering/records.ts';
import { sessionsOf } from '../../store/sessions.ts';

export default read('getSessions', async ({ tx, caller, now }) => {
  const rows = await tx.all(sessionsOf, caller.key, now);
  return { items: rows.map((row) => sessionRecord(row, caller.sessionKey)) };
});
