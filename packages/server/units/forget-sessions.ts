import type { UnitCall } from '../call.ts';
import { deleteExpiredSessions } from '../store/sessions.ts';

/** Expired sessions are over in any case: nobody needs their rows (AUTH-6). */
export async function forgetSessions({ tx, now }: UnitCall): Promise<void> {
  await tx.run(deleteExpiredSessions, now);
}
