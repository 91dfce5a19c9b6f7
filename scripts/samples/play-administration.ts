import { Actor } from '@parley/testing';
import type { Cast } from './play-session.ts';

const password = 'correct horse battery staple';

/** Ann, who owns the service, lets people in, and sees to their accounts. */
export async function administration({ world, recorder, ann }: Cast): Promise<void> {
  await recorder.call(ann.token, 'getServiceSettings', {});
  await recorder.call(ann.token, 'setServiceSettings', { who_invites: 'members' });
  const invited = { max_uses: 10, expires_in: 86_400, approval: true };
  const { id: invite_id, token: invite } = await recorder.call(ann.token, 'createServiceInvite', invited);
  await recorder.call(ann.token, 'getServiceInvites', {});
  const newcomer = new Actor(world, '', '');
  for (const username of ['mia', 'noa']) await newcomer.api.signUp({ username, password, invite });
  await recorder.call(ann.token, 'approveAccount', { username: 'mia', approved: true });
  await recorder.call(ann.token, 'approveAccount', { username: 'noa', approved: false });
  await recorder.call(ann.token, 'revokeServiceInvite', { invite_id });
  await recorder.call(ann.token, 'setAccountRole', { username: 'mia', role: 'moderator' });
  await recorder.refuse('setAccountRole', { token: ann.token, request: { username: 'ann', role: 'member' } });
  await recorder.call(ann.token, 'getAccounts', { role: 'moderator', limit: 10 });
  await recorder.call(ann.token, 'getServiceOverview', {});
  await recorder.call(ann.token, 'endSessions', { username: 'mia' });
  const { link } = await recorder.call(ann.token, 'resetPassword', { username: 'mia' });
  await recorder.call('', 'setPasswordByLink', { token: link.split('#')[1] ?? '', password });
  await recorder.call(ann.token, 'resetSecondFactor', { username: 'mia' });
  await recorder.call(ann.token, 'setAccountDisabled', { username: 'mia', disabled: true });
  await recorder.refuse('setAccountDisabled', { token: ann.token, request: { username: 'ann', disabled: true } });
}
