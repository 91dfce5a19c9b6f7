import { Actor } from '@parley/testing';
import { theService } from '@parley/server/calls/unit-queue.ts';
import { newToken } from '@parley/server/secrets/tokens.ts';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import type { Cast } from './play-session.ts';

const password = 'correct horse battery staple';

/** Bob and eve change their accounts; eve blocks bob and deletes her account. */
export async function people({ world, clock, recorder, bob, cid }: Cast): Promise<void> {
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
  await usersOfShop(world, clock, recorder);
  await world.settle();
}

/** The backend of a shop lets one of its users talk with the guide. */
async function usersOfShop(world: Cast['world'], clock: Cast['clock'], recorder: Cast['recorder']): Promise<void> {
  const { token: backend_key, hash } = newToken('bk_');
  const made = { name: 'shop', owner: 'bob', keyHash: Buffer.from(hash).toString('hex') };
  await world.service.units.run('setBackendKey', theService, made, clock.now());
  const user = { backend_key, external_id: 'customer-42' };
  const agent_username = 'parley:guide';
  await recorder.call('', 'createUserToken', { ...user, display_name: 'Finn', expires_in: 3_600, agent_username });
  await recorder.refuse('createUserToken', {
    token: '',
    request: { ...user, display_name: 'Finn', agent_username: 'nobody' },
  });
  await recorder.refuse('createUserToken', {
    token: '',
    request: { ...user, display_name: 'Finn', agent_username: 'ann' },
  });
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const issuer = 'https://shop.example';
  const jwks = JSON.stringify({ keys: [await exportJWK(publicKey)] });
  const trusted = { name: 'shop', owner: null, issuer, audience: 'parley', jwks };
  await world.service.units.run('setBackendIssuer', theService, trusted, clock.now());
  const sign = (claims: JWTPayload) =>
    new SignJWT({ iss: issuer, aud: 'parley', sub: 'customer-42', ...claims })
      .setProtectedHeader({ alg: 'ES256' })
      .setIssuedAt(clock.now() / 1_000)
      .setExpirationTime(clock.now() / 1_000 + 3_600)
      .sign(privateKey);
  await recorder.call('', 'exchangeUserToken', { jwt: await sign({ name: 'Finn', agent_username }) });
  for (const agent of ['nobody', 'ann'])
    await recorder.refuse('exchangeUserToken', {
      token: '',
      request: { jwt: await sign({ name: 'Finn', agent_username: agent }) },
    });
  await recorder.call('', 'deleteUser', user);
  await recorder.refuse('deleteUser', { token: '', request: user });
}
