import { read } from '../handler.ts';
import { forbidden } from '../../core/errors.ts';
import { privacyOf } from '../../store/privacy.ts';

export default read('getPrivacy', async ({ tx, caller }) => {
  if (caller.kind !== 'human') throw forbidden('an agent has no privacy settings');
  return privacyOf(tx, caller.key);
});
