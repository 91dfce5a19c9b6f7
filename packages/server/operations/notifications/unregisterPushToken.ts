import { ofCaller } from '../../commits/unit-locks.ts';
import { unit } from '../handler.ts';
import { dropTokenAt } from '../../store/notifications.ts';
import { forgetShownAt } from '../../store/shown-pushes.ts';
import { addressOf } from '../../push/push-address.ts';

/** Another account's token stays, with the same answer as for an unknown token (NOTIF-8). */
export default unit('unregisterPushToken', { locks: ofCaller, addsData: false }, async ({ tx, caller }, { token }) => {
  const address = addressOf(token);
  await tx.run(forgetShownAt, caller.key, address);
  await tx.run(dropTokenAt, caller.key, address);
});
