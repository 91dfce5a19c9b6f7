import { LockCoverage } from '../cluster/lock-coverage.ts';
import { embeddedTest } from '@parley/testing/contracts/tested-engine.ts';
import { UnsecuredJWT, SignJWT, type JWTPayload } from 'jose';
import { passwords } from '../../secrets/passwords.ts';
import { Actor, ManualClock } from '@parley/testing';
import { failure } from '@parley/testing/world/failure.ts';
import { FakeIssuer } from '@parley/testing/providers/fake-issuer.ts';
import { describe, expect, test } from 'vitest';
import { codeIn, oidcStage } from '../helpers/oidc-stage.ts';
import { setRole } from '../helpers/every-operation.ts';
import { rowsIn } from '../helpers/rows-in.ts';

const password = 'correct horse battery staple';
const unauthenticated = { status: 401 };

describe('the way there and back', () => {
  test('OIDC-2, OIDC-3: start leads to the issuer with code, PKCE, state and nonce; a next that leads elsewhere is /', async () => {
    await using stage = await oidcStage();
    const visitor = stage.visitor();
    const start = await visitor.get('/oidc/corp/start?next=/chats/1');
    expect(start.status).toBe(302);
    const url = new URL(start.headers.get('location') ?? '');
    expect(url.origin + url.pathname).toBe(`${stage.issuer.url}/authorize`);
    const query = Object.fromEntries(url.searchParams);
    expect(query).toMatchObject({
      response_type: 'code',
      client_id: 'parley',
      scope: 'openid profile email',
      code_challenge_method: 'S256',
      redirect_uri: new URL('/oidc/corp/callback', stage.world.url).href,
    });
    for (const field of ['state', 'nonce', 'code_challenge']) expect(query[field]).toMatch(/^[\w-]{43}$/);
    expect(start.headers.get('set-cookie')).toMatch(
      /^parley_sign_in=ob_[\w-]{43}; Path=\/; Max-Age=660; HttpOnly; SameSite=Lax$/,
    );
    expect((await visitor.get('/oidc/other/start')).status).toBe(404);
    expect((await visitor.get('/oidc/other/callback')).status).toBe(404);
    for (const [next, expected] of [
      ['/chats/1?a=b', '/chats/1?a=b'],
      ['/chats/1#x', '/chats/1'],
      ['//evil.example', '/'],
      ['/\\evil.example', '/'],
      ['\\\\evil.example', '/'],
      ['https://evil.example/', '/'],
      ['/.//evil.example', '/'],
      ['/%0d%0aset-cookie:a=b', '/%0d%0aset-cookie:a=b'],
      ['/\r\nset-cookie:a=b', '/'],
      ['/\t/evil.example', '/'],
      ['javascript:alert(1)', '/'],
      ['', '/'],
    ] as const) {
      const back = await visitor.callback(`?next=${encodeURIComponent(next)}`);
      expect(back.status).toBe(303);
      expect(back.headers.get('location')?.split('#sign_in=')[0], next).toBe(expected);
      expect(back.headers.get('set-cookie')).toBeNull();
    }
  });

  test('OIDC-3: a state is good once, within 10 minutes, in the browser that began', async () => {
    const clock = new ManualClock();
    await using stage = await oidcStage({ clock });
    const visitor = stage.visitor();
    const back = await visitor.toCallback();
    const thief = stage.visitor();
    expect((await thief.get(back)).status).toBe(400);
    await thief.get('/oidc/corp/start');
    expect((await thief.get(back)).status).toBe(400);
    const made = await visitor.get(back);
    expect(made.status).toBe(303);
    const again = await visitor.get(back);
    expect(again.status).toBe(400);
    expect(again.headers.get('content-security-policy')).toContain("script-src 'none'");
    expect(await again.text()).toContain('This sign-in has expired');
    expect((await visitor.get('/oidc/corp/callback?state=x&code=y')).status).toBe(400);
    expect((await visitor.get('/oidc/corp/callback')).status).toBe(400);
    const late = await visitor.toCallback();
    await clock.advance(600_000);
    expect((await visitor.get(late)).status).toBe(400);
    const cancelled = new URL(await visitor.toCallback());
    cancelled.searchParams.delete('code');
    cancelled.searchParams.set('error', 'access_denied');
    expect((await visitor.get(cancelled.href)).status).toBe(403);
  });

  test('OIDC-3, OIDC-4: who begins too often gets a page', async () => {
    const env = { RATE_LIMITS: '1', RATE_USER_TOKENS_BURST: '1', RATE_USER_TOKENS_PER_S: '1' };
    await using stage = await oidcStage({ clock: new ManualClock(), env });
    const visitor = stage.visitor();
    expect((await visitor.get('/oidc/corp/start')).status).toBe(302);
    for (const path of ['start', 'callback?state=x&code=y']) {
      const page = await visitor.get(`/oidc/corp/${path}`);
      expect([page.status, page.headers.get('retry-after')]).toEqual([429, '1']);
      expect(page.headers.get('content-security-policy')).toContain("script-src 'none'");
      expect(await page.text()).toContain('Too many sign-ins');
    }
  });

  test('OIDC-5: the code is exchanged once, within a minute, in the same browser, for what signIn answers', async () => {
    const clock = new ManualClock();
    await using stage = await oidcStage({ clock });
    const visitor = stage.visitor();
    const code = codeIn(await visitor.callback()) ?? '';
    expect((await stage.visitor().exchange(code)).status).toBe(401);
    const other = stage.visitor();
    await other.get('/oidc/corp/start');
    expect((await other.exchange(code)).status).toBe(401);
    const answers = await Promise.all([visitor.exchange(code), visitor.exchange(code)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401]);
    const ok = answers.find(({ status }) => status === 200);
    expect(await ok?.json()).toMatchObject({
      result: { token: expect.stringMatching(/^s_/), account: { username: 'ann' }, device_token: expect.any(String) },
    });
    const late = codeIn(await visitor.callback()) ?? '';
    await clock.advance(60_000);
    expect((await visitor.exchange(late)).status).toBe(401);
  });
});

describe('the id_token', () => {
  const later = (seconds: number): number => Math.floor(Date.now() / 1_000) + seconds;
  const wrong: Readonly<Record<string, (claims: JWTPayload) => JWTPayload>> = {
    'of another issuer': (claims) => ({ ...claims, iss: 'https://evil.example' }),
    'for another client': (claims) => ({ ...claims, aud: 'other' }),
    'that has expired': (claims) => ({ ...claims, exp: later(-3_600), iat: later(-7_200) }),
    'with another nonce': (claims) => ({ ...claims, nonce: 'another' }),
    'without a nonce': ({ nonce: _nonce, ...claims }) => claims,
    'without a sub': ({ sub: _sub, ...claims }) => claims,
  };

  test('OIDC-4: one that is not this sign-in’s lets nobody in', async () => {
    await using stage = await oidcStage();
    const { issuer } = stage;
    const visitor = stage.visitor();
    for (const [what, change] of Object.entries(wrong)) {
      issuer.idToken = change;
      expect((await visitor.callback()).status, what).toBe(502);
    }
    issuer.idToken = (claims) => claims;
    const foreign = await FakeIssuer.start();
    await foreign[Symbol.asyncDispose]();
    const secret = new TextEncoder().encode(JSON.stringify(issuer.publicKey));
    const forged: Readonly<Record<string, (claims: JWTPayload) => Promise<string> | string>> = {
      'alg none': (claims) => new UnsecuredJWT(claims).encode(),
      'HS256 with the public key': (claims) =>
        new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: 'key-1' }).sign(secret),
      'HS256 with the client’s secret': (claims) =>
        new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(issuer.client.secret)),
      'a key that is not the issuer’s': (claims) => foreign.signed(claims),
      'no token': () => 'not.a.token',
    };
    for (const [what, sign] of Object.entries(forged)) {
      issuer.sign = sign;
      expect((await visitor.callback()).status, what).toBe(502);
    }
    expect(await rowsIn(stage.world, 'oidc_identities')).toBe(0);
    issuer.sign = (claims) => issuer.signed(claims);
    expect((await visitor.callback()).status).toBe(303);
  });

  test.for(['RS256', 'PS256', 'ES256', 'EdDSA'])('OIDC-4: %s is a signature', async (alg) => {
    await using stage = await oidcStage({ alg });
    expect((await stage.visitor().callback()).status).toBe(303);
  });

  test('OIDC-4: an issuer that is away, hangs, answers nonsense or too much gets a page, and no more than its time', async () => {
    await using stage = await oidcStage();
    const { issuer } = stage;
    const visitor = stage.visitor();
    const back = await visitor.toCallback();
    issuer.instead = (_path, response) => {
      response.writeHead(503).end();
      return true;
    };
    expect((await visitor.get(back)).status).toBe(503);
    issuer.instead = (path, response) => {
      if (path === '/token') response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hello</h1>');
      return path === '/token';
    };
    expect((await visitor.callback()).status).toBe(502);
    issuer.instead = (path, response) => {
      if (path !== '/token') return false;
      response.writeHead(200, { 'content-type': 'application/json' });
      const block = Buffer.alloc(1024 * 1024, 'x');
      const more = () => {
        while (!response.destroyed && response.write(block));
      };
      response.on('drain', more).on('error', () => {});
      more();
      return true;
    };
    expect((await visitor.callback()).status).toBe(502);
    issuer.instead = (path, response) => {
      if (path === '/token') response.destroy();
      return path === '/token';
    };
    expect((await visitor.callback()).status).toBe(503);
  });
});

describe('accounts', () => {
  test('OIDC-6: an account is found by issuer and sub alone; names are made valid, and numbered where taken', async () => {
    await using stage = await oidcStage();
    const { world, signIn, issuer } = stage;
    const taken = await world.member();
    const ann = await signIn('s1', { preferred_username: 'Ünal.Ann', name: 'Ann Ünal' });
    expect(await ann.api.getMe()).toMatchObject({ username: 'unal_ann', display_name: 'Ann Ünal', role: 'member' });
    expect((await signIn('s1', { preferred_username: 'renamed', email: 'x@y.z' })).username).toBe('unal_ann');
    expect((await signIn('s2', { preferred_username: taken.username })).username).toBe(`${taken.username}2`);
    expect((await signIn('s3', { preferred_username: undefined, email: 'bo.b@corp.example' })).username).toBe('bo_b');
    expect((await signIn('s4', { preferred_username: '日本', name: 'Parley' })).username).toBe('person');
    expect((await signIn('s5', { preferred_username: 'parley' })).username).toBe('person2');
    const visitors = [stage.visitor(), stage.visitor()];
    const backs: string[] = [];
    for (const [at, visitor] of visitors.entries()) {
      issuer.person = { subject: `twin${at}`, claims: { preferred_username: 'twin' } };
      backs.push(await visitor.toCallback());
    }
    const both = await Promise.all(visitors.map((visitor, at) => visitor.get(backs[at] ?? '')));
    expect(both.map(({ status }) => status)).toEqual([303, 303]);
    const names = await world.sql<{ username: string }>(
      "SELECT username FROM accounts WHERE username IN ('twin', 'twin2')",
    );
    expect(names).toHaveLength(2);
  });

  test('OIDC-6: a display name is one that a person could give itself, and a sub can be stored', async () => {
    await using stage = await oidcStage();
    const shown: string[] = [];
    const names = [
      'Zoë Ann',
      '\u2800',
      '\u3164',
      '\u00ad',
      'علی\u200cرضا',
      'x\u202ey',
      'P\u0430rley',
      'a\0',
      'b'.repeat(300),
      ' ',
    ];
    for (const [at, name] of names.entries())
      shown.push((await (await stage.signIn(`u${at}`, { name })).api.getMe()).display_name);
    expect(shown).toEqual(['Zoë Ann', 'u1', 'u2', 'u3', 'علی\u200cرضا', 'u5', 'u6', 'u7', 'u8', 'u9']);
    for (const subject of ['', 'a\0', 's'.repeat(256)]) {
      stage.issuer.person = { subject, claims: { preferred_username: 'ann' } };
      expect((await stage.visitor().callback()).status, JSON.stringify(subject).slice(0, 20)).toBe(502);
    }
    const sid = 's'.repeat(5_000);
    await stage.signIn('u0', { sid });
  });

  test('OIDC-6: a new account needs what SIGN_UP needs; a known one does not', async () => {
    await using stage = await oidcStage({ env: { SIGN_UP: 'invite' } });
    const { world, signIn } = stage;
    const { owner } = await world.people('owner');
    await setRole(world, 'owner', 'owner');
    const visitor = stage.visitor();
    const page = await visitor.callback();
    expect([page.status, await page.text()]).toEqual([403, expect.stringContaining('An invite is needed')]);
    expect((await visitor.callback('?invite=v_none')).status).toBe(403);
    const { token } = await owner.api.createServiceInvite({ role: 'guest', max_uses: 1 });
    const ann = await signIn('ann', {}, `?invite=${token}`);
    expect(await ann.api.getMe()).toMatchObject({ role: 'guest' });
    expect((await signIn('ann')).username).toBe('ann');
    await owner.api.setAccountDisabled({ username: 'ann', disabled: true });
    expect((await visitor.callback()).status).toBe(403);
    const { items } = await owner.api.getAudit({ action: 'signIn' });
    expect(items[0]).toMatchObject({
      actor: null,
      details: { failed: 'this account is disabled', issuer: stage.issuer.url },
    });
    expect(items.find(({ actor }) => actor === 'ann')?.details).toMatchObject({ issuer: stage.issuer.url });
    expect((await owner.api.getAudit({ action: 'signUp', actor: 'ann' })).items).toMatchObject([
      { details: { issuer: stage.issuer.url }, address: items[0]?.address },
    ]);
    expect(items[0]?.address).toEqual(expect.any(String));
  });

  test('OIDC-7: groups give the highest role, at each sign-in; without one: member; owners stay', async () => {
    const roles = { staff: 'moderator', it: 'admin', outside: 'guest' };
    await using stage = await oidcStage({ issuer: { groups_claim: 'groups', roles } });
    const { world, signIn } = stage;
    await world.member();
    const roleOf = async (groups: unknown) => (await (await signIn('ann', { groups })).api.getMe()).role;
    expect(await roleOf(['staff', 'it', 'x'])).toBe('admin');
    expect(await roleOf(['outside'])).toBe('guest');
    expect(await roleOf('staff')).toBe('moderator');
    expect(await roleOf(undefined)).toBe('member');
    await setRole(world, 'ann', 'owner');
    expect(await roleOf(['outside'])).toBe('owner');
  });

  test('OIDC-8, OIDC-9: with only, whom the issuer confirms comes in, and passwords are for owners', async () => {
    await using stage = await oidcStage({ issuer: { only: true }, env: { SIGN_UP: 'closed' } });
    const { signIn } = stage;
    const ann = await signIn('ann');
    expect(await ann.api.getServerInfo()).toMatchObject({
      issuers: [{ id: 'corp', name: 'Corp' }],
      passwords: 'owners',
    });
    expect(await failure(ann.api.signUp({ username: 'new', password }))).toMatchObject({ status: 403 });
  });
});

test('OIDC-13: an account without a password is deleted from a session that has just signed in', async () => {
  await using stage = await oidcStage();
  const { signIn, world } = stage;
  await world.member();
  const ann = await signIn('ann');
  await world.sql('UPDATE sessions SET created_at = created_at - 901000');
  expect(await failure(ann.api.deleteAccount({ password }))).toMatchObject({ status: 403 });
  expect(
    await failure(ann.api.changePassword({ old_password: password, new_password: 'another horse' })),
  ).toMatchObject({
    status: 403,
  });
  const again = await signIn('ann');
  expect(await again.api.exportMyData({})).toMatchObject({ url: expect.any(String) });
  await again.api.deleteAccount({ password });
  expect([await rowsIn(world, 'oidc_identities'), await rowsIn(world, 'oidc_sessions')]).toEqual([0, 0]);
  expect(await (await signIn('ann')).api.getMe()).toMatchObject({ username: expect.stringMatching(/^ann/) });
});

test('AUTH-8: a development token opens no account that signs in at an issuer', async () => {
  await using stage = await oidcStage();
  const ann = await stage.signIn('ann');
  expect(await failure(new Actor(stage.world, 'ann', 'dev:ann').api.getMe())).toMatchObject(unauthenticated);
  expect((await ann.api.getMe()).username).toBe('ann');
});

test('OIDC-8: an owner signs in with a password where nobody else does; a wrong one tells nothing', async () => {
  await using stage = await oidcStage({ issuer: { only: true } });
  const { world } = stage;
  const { owner, member } = await world.people('owner', 'member');
  await setRole(world, 'owner', 'owner');
  const passwordHash = await passwords.hash(password);
  await world.sql('UPDATE accounts SET password_hash = $1', passwordHash);
  const visitor = new Actor(world, '', '');
  expect((await visitor.api.signIn({ username: owner.username, password })).account).toMatchObject({ role: 'owner' });
  const { username } = member;
  expect(await failure(visitor.api.signIn({ username, password }))).toMatchObject({ status: 403 });
  for (const one of [owner, member]) {
    const wrong = { username: one.username, password: 'a wrong password' };
    expect(await failure(visitor.api.signIn(wrong))).toMatchObject(unauthenticated);
  }
});

describe('the end of sessions', () => {
  test('OIDC-10: a logout token ends the session that it names, or all of its person, once', async () => {
    await using stage = await oidcStage();
    const { issuer, signIn, logout } = stage;
    const [one, two, other] = [
      await signIn('ann', { sid: 'S1' }),
      await signIn('ann', { sid: 'S2' }),
      await signIn('bob', { sid: 'S3' }),
    ];
    const socket = await one.socket();
    const sid = await issuer.signed(issuer.logoutClaims({ sid: 'S1', sub: 'ann' }), 'logout+jwt');
    expect(await logout(sid)).toBe(200);
    expect(await failure(one.api.getMe())).toMatchObject(unauthenticated);
    await socket.closed;
    expect((await two.api.getMe()).username).toBe('ann');
    expect(await logout(sid)).toBe(400);
    // A token of one person ends no session of another.
    expect(await logout(await issuer.signed(issuer.logoutClaims({ sid: 'S3', sub: 'ann' })))).toBe(200);
    expect((await other.api.getMe()).username).toBe('bob');
    expect(await logout(await issuer.signed(issuer.logoutClaims({ sub: 'ann' })))).toBe(200);
    expect(await failure(two.api.getMe())).toMatchObject(unauthenticated);
    expect((await other.api.getMe()).username).toBe('bob');
  });

  test('OIDC-10: a logout token ends the sign-ins that were not exchanged, of its own person only', async () => {
    await using stage = await oidcStage();
    const { issuer, logout } = stage;
    const visitors = [];
    for (const subject of ['ann', 'bob']) {
      const visitor = stage.visitor();
      issuer.person = { subject, claims: { preferred_username: subject, sid: 'S1' } };
      visitors.push({ visitor, code: codeIn(await visitor.callback()) ?? '' });
    }
    expect(await logout(await issuer.signed(issuer.logoutClaims({ sid: 'S1', sub: 'ann' })))).toBe(200);
    const answers = visitors.map(async ({ visitor, code }) => (await visitor.exchange(code)).status);
    expect(await Promise.all(answers)).toEqual([401, 200]);
  });

  test('OIDC-10: the log says why a token was refused, and holds none of its claims', async () => {
    await using stage = await oidcStage();
    const { issuer, logout, visitor, world } = stage;
    const claims = { sub: 'the-subject', email: 'ann@example.org' };
    issuer.person = { subject: claims.sub, claims };
    issuer.idToken = (given) => ({ ...given, aud: 'other' });
    expect((await visitor().callback()).status).toBe(502);
    for (const wrong of [{ aud: 'other' }, { exp: 5 }, { iss: 'https://evil.example' }, { iat: 5 }])
      expect(await logout(await issuer.signed(issuer.logoutClaims({ ...claims, ...wrong })))).toBe(400);
    const lines = world.logs.filter(({ msg }) => /logout token|sign-in at an issuer/.test(msg));
    expect(lines).toHaveLength(5);
    expect(JSON.stringify(lines)).toContain('ERR_JWT_EXPIRED');
    expect(JSON.stringify(lines)).not.toMatch(/the-subject|ann@example/);
  });

  test('OIDC-10: any other token ends nothing', async () => {
    await using stage = await oidcStage();
    const { issuer, signIn, logout } = stage;
    const ann = await signIn('ann', { sid: 'S1' });
    const claims = (more: object) => issuer.logoutClaims({ sub: 'ann', ...more });
    const now = Math.floor(Date.now() / 1_000);
    const bad = await Promise.all(
      [
        { nonce: 'x' },
        { events: undefined },
        { events: { other: {} } },
        { aud: 'other' },
        { iss: 'https://evil.example' },
        { iat: undefined },
        { iat: now - 3_600 },
        { exp: now - 600 },
        { jti: undefined },
        { sub: undefined },
        { sub: 7 },
      ].map((more) => issuer.signed(claims(more))),
    );
    const foreign = await FakeIssuer.start();
    bad.push(await foreign.signed(claims({})), new UnsecuredJWT(claims({})).encode(), 'x', '');
    await foreign[Symbol.asyncDispose]();
    for (const token of bad) expect(await logout(token), token).toBe(400);
    expect((await fetch(new URL('/oidc/none/logout', stage.world.url), { method: 'POST' })).status).toBe(404);
    expect((await ann.api.getMe()).username).toBe('ann');
  });

  test('OIDC-11: who is disabled at the issuer is out within 5 minutes; a refresh gives the groups’ role', async () => {
    const clock = new ManualClock();
    await using stage = await oidcStage({ clock, issuer: { groups_claim: 'groups', roles: { staff: 'moderator' } } });
    const { issuer, signIn, world } = stage;
    const bob = await signIn('bob');
    const ann = await signIn('ann');
    expect(JSON.stringify(await world.sql('SELECT * FROM oidc_sessions'))).not.toContain('refresh-');
    issuer.person = { subject: 'ann', claims: { groups: ['staff'] } };
    await clock.advance(245_000);
    await expect.poll(() => issuer.refreshes).toBe(2);
    await expect.poll(async () => (await ann.api.getMe()).role).toBe('moderator');
    issuer.disabled.add('ann');
    await clock.advance(245_000);
    await expect.poll(() => failure(ann.api.getMe())).toMatchObject(unauthenticated);
    expect((await bob.api.getMe()).username).toBe('bob');
  });

  test('OIDC-7: a refresh that says nothing of groups leaves the role', async () => {
    const clock = new ManualClock();
    await using stage = await oidcStage({ clock, issuer: { groups_claim: 'groups', roles: { staff: 'moderator' } } });
    const { issuer, signIn, world } = stage;
    await world.person('olga');
    const ann = await signIn('ann', { groups: ['staff'] });
    issuer.sign = () => undefined as unknown as string; // JSON leaves it out
    await clock.advance(245_000);
    await expect.poll(() => issuer.refreshes).toBe(1);
    await expect
      .poll(() => rowsIn(world, 'oidc_sessions WHERE checked_at > 0 AND refresh_at - checked_at = 240000'))
      .toBe(1);
    expect((await ann.api.getMe()).role).toBe('moderator');
    issuer.sign = (claims) => issuer.signed(claims);
    issuer.person = { subject: 'ann', claims: {} };
    await clock.advance(245_000);
    await expect.poll(async () => (await ann.api.getMe()).role).toBe('member');
  });

  embeddedTest('one clock')('OIDC-11: a clock that is set back does not keep the issuer from being asked', async () => {
    const clock = new ManualClock();
    await using stage = await oidcStage({ clock });
    const { issuer, signIn } = stage;
    const ann = await signIn('ann');
    issuer.disabled.add('ann');
    clock.step(-3_600_000);
    await expect
      .poll(async () => {
        await clock.advance(1_000);
        return ann.api.getMe().catch((error: unknown) => error);
      })
      .toMatchObject(unauthenticated);
  });

  test('OIDC-11: an issuer that does not answer delays no other', async () => {
    const clock = new ManualClock();
    const slow = await FakeIssuer.start();
    await using stage = await oidcStage({ clock, others: [slow.config({ id: 'slow' })] });
    const { issuer, signIn, visitor } = stage;
    const ann = await signIn('ann');
    slow.person = { subject: 'bob', claims: { preferred_username: 'bob' } };
    await visitor().signIn('', 'slow');
    let held = 0;
    slow.instead = (path) => {
      if (path === '/token') held += 1;
      return path === '/token';
    };
    await clock.advance(245_000);
    await expect.poll(() => [issuer.refreshes, held]).toEqual([1, 1]);
    const asked = 'oidc_sessions WHERE checked_at > (SELECT min(checked_at) FROM oidc_sessions) + 200000';
    await expect.poll(() => rowsIn(stage.world, asked)).toBe(1);
    issuer.disabled.add('ann');
    // The slow issuer has not used up its eight seconds.
    await stage.world.sql('UPDATE oidc_sessions SET refresh_at = 0 WHERE issuer = $1', issuer.url);
    await clock.advance(2_000);
    await expect.poll(() => failure(ann.api.getMe())).toMatchObject(unauthenticated);
    expect(held).toBe(1);
    await slow[Symbol.asyncDispose]();
  });

  test('OIDC-12: an issuer that is away ends nobody for a day', async () => {
    const clock = new ManualClock();
    await using stage = await oidcStage({ clock });
    const { issuer, signIn, world } = stage;
    const ann = await signIn('ann');
    let asked = 0;
    issuer.instead = (_path, response) => {
      asked += 1;
      response.writeHead(500).end();
      return true;
    };
    await clock.advance(300_000);
    await expect.poll(() => asked).toBeGreaterThan(0);
    expect((await ann.api.getMe()).username).toBe('ann');
    await world.sql('UPDATE oidc_sessions SET checked_at = checked_at - 86400000');
    await expect
      .poll(async () => {
        await clock.advance(1_000);
        return ann.api.getMe().then(
          () => 200,
          (error: { status: number }) => error.status,
        );
      })
      .toBe(401);
  });
});

embeddedTest('triggers of SQLite note the rows that are written')(
  'CLUSTER-51: the rows that sign-ins at issuers write are covered by the locks of their units',
  async () => {
    const coverage = new LockCoverage();
    await using stage = await oidcStage({ startStore: coverage.store.start });
    const { signIn } = stage;
    const ann = await signIn('ann');
    await signIn('ann');
    await ann.api.terminateOtherSessions();
    await ann.api.signOut();
    expect([...coverage.uncovered]).toEqual([]);
    for (const name of ['beginOidc', 'exchangeSignIn']) expect(coverage.written).toContain(name);
  },
);
