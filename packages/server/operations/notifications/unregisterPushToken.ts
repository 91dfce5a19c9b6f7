import { ofCaller } from '../../commits/unit-locks.ts';
import { unit } from '../handler.ts';
import { dropTokenAt } from '../../store/notifications.ts';
import { forgetShownAt } from '../../store/shown-pushes.ts';
import { addressOf } from '../../push/push-address.ts';

/** Another's token stays, and is answered as one that is not there (NOTIF-8). */
export default unit('unregisterPushToken', { locks: ofCaller }, async ({ tx, caller }, { token }) => {
  const address = addressOf(token);
  await tx.run(forgetShownAt, caller.key, address);
  await tx.run(dropTokenAt, caller.key, address);
});
