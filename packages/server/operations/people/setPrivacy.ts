import { isDeepStrictEqual } from 'node:util';
import { ofCaller } from '../../commits/unit-locks.ts';
import { accountScope } from '../../core/event-kinds.ts';
import { forbidden } from '../../core/errors.ts';
import { unit } from '../handler.ts';
import { privacyOf, setPrivacyOf } from '../../store/privacy.ts';

/** Only the caller's own devices learn of a change (READ-3). */
// Adds no data: it immediately stops what others learn.
export default unit('setPrivacy', { locks: ofCaller, addsData: false }, async (call, changes) => {
  const { tx, caller } = call;
  if (caller.kind !== 'human') throw forbidden('an agent has no privacy settings');
  const before = await privacyOf(tx, caller.key);
  const {
    read_receipts = before.read_receipts,
    last_seen = before.last_seen,
    link_previews = before.link_previews,
  } = changes;
  const privacy = { read_receipts, last_seen, link_previews };
  if (isDeepStrictEqual(privacy, before)) return privacy;
  await setPrivacyOf(tx, caller.key, privacy);
  call.emit({ scope: accountScope(caller.key), kind: 'privacyUpdated', params: privacy });
  return privacy;
});
