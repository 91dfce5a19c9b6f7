import { ofCaller } from '../../commits/unit-locks.ts';
import { unit } from '../handler.ts';
import { forbidden } from '../../core/errors.ts';
import { idBytes } from '../../core/ids.ts';
import { announceInbox } from '../../messages/inbox-items.ts';
import { dropItems, dropItemsThrough } from '../../store/inbox.ts';

/** An inbox has few more rows than `limits.inboxItems`, so marking all of them as done is one bounded statement. */
export default unit(
  'setInboxDone',
  { locks: ofCaller, addsData: false },
  async (call, { message_ids, through_position }) => {
    const { tx, caller } = call;
    if (caller.kind !== 'human') throw forbidden('an agent has no inbox');
    const dropped =
      through_position === undefined
        ? (await tx.list(dropItems, (message_ids ?? []).map(idBytes), caller.key)).length
        : await tx.run(dropItemsThrough, caller.key, through_position);
    if (dropped > 0) announceInbox(call, caller.key);
    return undefined;
  },
);
