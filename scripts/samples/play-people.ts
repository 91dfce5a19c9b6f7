import { Actor } from '@parley/testing';
import type { Cast } from './play-session.ts';

const password = 'correct horse battery staple';

/** Bob and eve change their accounts; eve blocks bob and deletes her account. */
export async function people({ world, recorder, bob, cid }: Cast): Promise<void> {
  await cid.socket('ext');
  await recorder.call(bob.token, 'updateProfile', { display_name: 'Bob', bio: 'By the sea, if I can' });
  await world.settle();
  await recorder.call(bob.token, 'exportMyData', {});
  const { token } = await recorder.call('', 'signUp', { username: 'eve', password, display_name: 'Eve' });
  const eve = new Actor(world, 'eve', token);
  await recorder.call(eve.token, 'blockUser', { username: 'bob' });
  await recorder.call(eve.token, 'getBlockedUsers', {});
  await eve.socket('ext');
  await recorder.call(eve.token, 'setPrivacy', { last_seen: false });
  await recorder.call(eve.token, 'getPrivacy', {});
  await recorder.call(eve.token, 'unblockUser', { username: 'bob' });
  const changed = 'four other words together';
  await recorder.refuse('changePassword', {
    token: eve.token,
    request: { old_password: 'a wrong password', new_password: changed },
  });
  await recorder.call(eve.token, 'changePassword', { old_password: password, new_password: changed });
  await recorder.refuse('deleteAccount', { token: eve.token, request: { password: 'a wrong password' } });
  await recorder.call(eve.token, 'deleteAccount', { password: changed });
  await world.settle();
}
