import { writeFileSync } from 'node:fs';
import type { Actor } from '@parley/testing';
import { Installation } from '@parley/testing/servers/installation.ts';
import { startPageServer } from '@parley/testing/providers/page-server.ts';
import { failure } from '@parley/testing/world/failure.ts';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { expect, test } from 'vitest';

const user = { external_id: '7', display_name: 'Ann' };
const unauthenticated = { status: 401, code: 'unauthenticated' };

test('ADMIN-18: a key is printed once; a new one replaces it; revoke ends it and the sessions of the users', async () => {
  await using installation = new Installation();
  await installation.start({ SIGN_UP: 'closed' });
  await installation.admin('account create team --password-stdin', 'correct horse battery staple');
  const made = await installation.admin('backends key shop --owner team');
  expect(made).toEqual({ code: 0, out: expect.stringMatching(/^bk_[\w-]{43}\n$/), err: '' });
  const { api } = installation.visitor();
  const create = (key: string) => api.createUserToken({ backend_key: key.trim(), ...user });
  const { token, account } = await create(made.out);
  const ann: Actor = installation.visitor(token, account.username);
  const socket = await ann.socket();
  expect(await installation.admin('backends list')).toMatchObject({ out: 'shop  owner team, users: 1\n' });

  const renewed = await installation.admin('backends key shop');
  expect(await failure(create(made.out))).toMatchObject(unauthenticated);
  await create(renewed.out);
  expect(await ann.api.getMe()).toMatchObject({ display_name: 'Ann' });

  expect(await installation.admin('backends revoke shop')).toEqual({
    code: 0,
    out: 'shop is revoked; sessions ended: 2\n',
    err: '',
  });
  expect(await socket.closed).toMatchObject({ code: 4401 });
  expect(await failure(ann.api.getMe())).toMatchObject(unauthenticated);
  expect(await failure(create(renewed.out))).toMatchObject(unauthenticated);
  expect(await installation.admin('backends list')).toMatchObject({ out: 'shop  owner team, users: 1, no key\n' });
  const again = await installation.admin('backends key shop');
  expect((await create(again.out)).account.username).toBe(account.username);
});

test('ADMIN-18: a new backend needs an owner who exists and is a person; an unknown backend cannot be revoked', async () => {
  await using installation = new Installation();
  await installation.start();
  await installation.member('team');
  const admin = (command: string) => installation.admin(`backends ${command}`);
  expect(await admin('key shop')).toMatchObject({ code: 1, out: '', err: expect.stringMatching(/--owner/) });
  expect(await admin('key shop --owner nobody')).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringMatching(/not found: account nobody/),
  });
  expect(await admin('key shop --owner team:provider_a')).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringMatching(/agent/),
  });
  expect(await admin('key No --owner team')).toMatchObject({ code: 2, out: '' });
  expect(await admin('revoke shop')).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringMatching(/not found: backend shop/),
  });
  expect(await admin('list')).toEqual({ code: 0, out: '', err: '' });
});

test('ADMIN-19: trust lets a backend sign JWTs; private keys, shared secrets and an issuer of another backend are refused', async () => {
  await using installation = new Installation();
  await installation.start();
  await installation.member('team');
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  const admin = (command: string) => installation.admin(`backends ${command}`);
  const write = (keys: readonly object[]) => writeFileSync(installation.file('jwks.json'), JSON.stringify({ keys }));
  const trust = (name: string, more = '') =>
    admin(`trust ${name} --issuer https://${name}.example --keys ${installation.file('jwks.json')}${more}`);
  const refused = { code: 1, out: '', err: expect.stringMatching(/is not a JWK Set of public keys/) };
  expect(await trust('shop', ' --owner team')).toMatchObject(refused);
  for (const keys of [
    [],
    [await exportJWK(privateKey)],
    [{ kty: 'oct', k: 'c2VjcmV0' }],
    [{ kty: 'EC', crv: 'P-256' }],
  ]) {
    write(keys);
    expect(await trust('shop', ' --owner team')).toMatchObject(refused);
  }
  write([await exportJWK(publicKey)]);
  expect(await trust('shop')).toMatchObject({ code: 1, err: expect.stringMatching(/--owner/) });
  const made = await trust('shop', ' --owner team');
  expect(made).toEqual({ code: 0, out: 'shop may sign JWTs as https://shop.example for parley\n', err: '' });
  const jwt = await new SignJWT({ name: 'Ann' })
    .setProtectedHeader({ alg: 'ES256' })
    .setIssuer('https://shop.example')
    .setAudience('parley')
    .setSubject('7')
    .setIssuedAt()
    .setExpirationTime('10 minutes')
    .sign(privateKey);
  const { api } = installation.visitor();
  expect((await api.exchangeUserToken({ jwt })).account).toMatchObject({ display_name: 'Ann' });
  await admin('key other --owner team');
  expect(await trust('other', ' --issuer https://shop.example')).toMatchObject({
    code: 1,
    err: expect.stringMatching(/another backend/),
  });
  expect((await admin('list')).out).toBe(
    'other  owner team, users: 0\nshop  owner team, users: 1, no key, issuer https://shop.example\n',
  );
  await admin('revoke shop');
  expect(await failure(api.exchangeUserToken({ jwt }))).toMatchObject(unauthenticated);
});

test('ADMIN-20, CONFIG-28: trust fetches the keys at an address, and refuses what it would refuse in a file; revoke and a file end it', async () => {
  await using provider = await startPageServer();
  await using installation = new Installation();
  await installation.start();
  await installation.member('team');
  const env = { JWKS_ENDPOINTS: `public,${provider.origin}` };
  const admin = (command: string, more = env) => installation.admin(`backends ${command}`, '', more);
  const url = `${provider.origin}/jwks`;
  const trust = (keys = url, more = env) =>
    admin(`trust shop --owner team --issuer https://shop.example --keys ${keys}`, more);
  const publish = (status: number, ...keys: object[]) =>
    (provider.answer = (_request, response) => response.writeHead(status).end(JSON.stringify({ keys })));
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  const key = await exportJWK(publicKey);

  publish(200, key);
  expect(await trust(url, { JWKS_ENDPOINTS: 'public' })).toMatchObject({
    code: 1,
    err: expect.stringMatching(/JWKS_ENDPOINTS/),
  });
  for (const keys of [url, 'https://shop.example/jwks'])
    expect(await trust(keys, { JWKS_ENDPOINTS: 'none' })).toMatchObject({
      code: 1,
      err: expect.stringMatching(/JWKS_ENDPOINTS/),
    });
  expect(await trust('https://127.0.0.1/jwks')).toMatchObject({
    code: 1,
    err: expect.stringMatching(/public address/),
  });
  expect(await trust('http://shop.example/jwks')).toMatchObject({
    code: 1,
    err: expect.stringMatching(/https address.*JWKS_ENDPOINTS/),
  });
  for (const scheme of ['https://', 'https:', 'ftp://'])
    expect(await trust(`${scheme}me:secret@shop.example/jwks`)).toMatchObject({
      code: 2,
      out: '',
      err: expect.not.stringContaining('secret'),
    });
  expect(await trust('https://me:secret@shop.example:99999/')).toMatchObject({
    code: 2,
    err: expect.not.stringContaining('secret'),
  });
  expect(provider.asked).toEqual([]);
  publish(404, key);
  expect(await trust()).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringMatching(/gave no JWK Set of public keys: .* status 404/),
  });
  for (const keys of [[], [await exportJWK(privateKey)], [key, { kty: 'oct', k: 'c2VjcmV0' }]]) {
    publish(200, ...keys);
    expect(await trust()).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(/gave no JWK Set of public keys/),
    });
  }
  expect(await admin('list')).toMatchObject({ out: '' });

  publish(200, key);
  // An address of this machine that is no loopback name.
  const elsewhere = provider.origin.replace('127.0.0.1', '0.0.0.0');
  expect(await trust(`${elsewhere}/jwks`, { JWKS_ENDPOINTS: elsewhere })).toMatchObject({ code: 0, err: '' });
  const list = async () => (await admin('list')).out;
  const bare = 'shop  owner team, users: 0, no key';
  expect(await trust(`${url}?set=1#keys`)).toMatchObject({ code: 0, err: '' });
  expect(provider.asked.at(-1)).toBe('/jwks?set=1');
  expect(await list()).toContain(`${bare}, issuer https://shop.example, keys from ${url}?set=1 as of 20`);
  writeFileSync(installation.file('jwks.json'), JSON.stringify({ keys: [key] }));
  await trust(installation.file('jwks.json'));
  expect(await list()).toBe(`${bare}, issuer https://shop.example\n`);
  await trust();
  expect(await list()).toContain(url);
  await admin('revoke shop');
  expect(await list()).toBe(`${bare}\n`);
});
