import { unit } from '../../call.ts';
import { dropTokenAt } from '../../store/notifications.ts';
import { addressOf } from './push-address.ts';

/** Another's token stays, and is answered as one that is not there (NOTIF-8). */
export default unit('unregisterPushToken', async ({ tx, caller }, { token }) => {
  await tx.run(dropTokenAt, caller.key, addressOf(token));
});
