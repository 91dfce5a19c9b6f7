import { theService } from '@parley/server/calls/unit-queue.ts';
import { type Actor, checkReplay, createWorld, ManualClock } from '@parley/testing';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { bare, type FileContent, get, photo, statusFor, upload } from '../helpers/file-stage.ts';

const TEXT = '0123456789';

test('FILE-10: downloads support ranges, If-None-Match and HEAD', async () => {
  await using world = await createWorld();
  const alice = await world.person('alice');
  const { url, id } = await upload(alice, TEXT, 'digits.txt');
  const whole = await get(world, url);
  const etag = whole.headers.get('etag') ?? '';
  expect(await whole.text()).toBe(TEXT);
  const part = async (headers: Record<string, string>, method = 'GET') => {
    const response = await get(world, url, { headers, method });
    return [response.status, await response.text(), response.headers.get('content-range')];
  };
  expect(await part({ range: 'bytes=0-3' })).toEqual([206, '0123', 'bytes 0-3/10']);
  expect(await part({ range: 'bytes=7-' })).toEqual([206, '789', 'bytes 7-9/10']);
  expect(await part({ range: 'bytes=-2' })).toEqual([206, '89', 'bytes 8-9/10']);
  expect(await part({ range: 'bytes=-200' })).toEqual([206, TEXT, 'bytes 0-9/10']);
  expect(await part({ range: 'bytes=5-999' })).toEqual([206, '56789', 'bytes 5-9/10']);
  for (const range of ['bytes=10-', 'bytes=99-100', 'bytes=-0'])
    expect([range, await part({ range })]).toEqual([range, [416, '', 'bytes */10']]);
  for (const range of [
    'bytes=4-2',
    'bytes=0-1,3-4',
    'bytes=-',
    'lines=1-2',
    'bytes=x-y',
    'bytes=0-99999999999999999999',
  ])
    expect([range, await part({ range })]).toEqual([range, [200, TEXT, null]]);
  expect(await part({ range: 'bytes=0-3', 'if-range': etag })).toEqual([206, '0123', 'bytes 0-3/10']);
  expect(await part({ range: 'bytes=0-3', 'if-range': '"other"' })).toEqual([200, TEXT, null]);
  expect(await part({ range: 'bytes=0-3', 'if-range': 'Sat, 01 Jan 2000 00:00:00 GMT' })).toEqual([200, TEXT, null]);
  for (const known of [etag, `"x", W/${etag}`, '*'])
    expect(await part({ 'if-none-match': known })).toEqual([304, '', null]);
  expect(await part({ 'if-none-match': '"x"' })).toEqual([200, TEXT, null]);
  const head = await get(world, url, { method: 'HEAD' });
  expect([head.status, head.headers.get('content-length'), head.headers.get('etag')]).toEqual([200, '10', etag]);
  expect(await part({ range: 'bytes=0-3' }, 'HEAD')).toEqual([200, '', null]);
  // With a token the address works without a signature.
  const bearer = await get(world, `/files/${id.toUpperCase()}`, {
    headers: { authorization: `Bearer ${alice.token}` },
  });
  expect(await bearer.text()).toBe(TEXT);
  expect((await get(world, bare(url), { method: 'POST', body: 'x' })).status).toBe(404);
});

test('FILE-39: an SVG is a file with a picture that the service has drawn, and is never served as what it is', async () => {
  // Time stands still: on a busy machine a drawing may take long.
  await using world = await createWorld({ clock: new ManualClock() });
  const alice = await world.person('alice');
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"><rect width="20" height="10"/></svg>';
  for (const [start, name] of [
    ['', 'a.svg'],
    ['<?xml version="1.0"?>\n', 'b.png'],
  ] as const) {
    const file = await upload(alice, `${start}${svg}`, name);
    expect(file).toMatchObject({ kind: 'file', name, mime_type: expect.not.stringMatching(/svg|xml/) });
    const [whole, small] = [await get(world, file.url), await get(world, file.thumbnail_url)];
    expect([whole.headers.get('content-type'), whole.headers.get('content-disposition')]).toEqual([
      expect.not.stringMatching(/svg|xml/),
      expect.stringMatching(/^attachment/),
    ]);
    expect([await whole.text(), small.headers.get('content-type')]).toEqual([`${start}${svg}`, 'image/webp']);
    expect(await sharp(await small.arrayBuffer()).metadata()).toMatchObject({ width: 512, height: 256 });
  }
  expect(await upload(alice, '<svg xmlns="http://www.w3.org/2000/svg"', 'c.svg')).not.toHaveProperty('thumbnail_url');
});

test('FILE-9: a browser runs no script of a file, whatever the file contains', async () => {
  await using world = await createWorld();
  const alice = await world.person('alice');
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  const html = '<!doctype html><script>alert(1)</script>';
  const png = await photo('png');
  const cases: [bytes: FileContent, name: string, type: string, disposition: RegExp][] = [
    [svg, 'a.png', 'text/plain; charset=utf-8', /^attachment; filename="a.png"/],
    [`<?xml version="1.0"?>${svg}`, 'a.svg', 'application/octet-stream', /^attachment/],
    [html, 'a.html', 'text/plain; charset=utf-8', /^attachment/],
    [Buffer.concat([Buffer.from('GIF89a/*'), Buffer.from(html)]), 'a.gif', 'application/octet-stream', /^attachment/],
    [Buffer.concat([png, Buffer.from(html)]), 'a.html', 'image/png', /^inline; filename="a.html"/],
    ['%PDF-1.7\n%âãÏÓ\n1 0 obj', 'a.pdf', 'application/pdf', /^attachment/],
    [Buffer.from([0, 1, 2, 3, 255]), 'a.jpg', 'application/octet-stream', /^attachment/],
    ['', 'empty.txt', 'application/octet-stream', /^attachment/],
    [Buffer.from('RIFF\u0024\u0000\u0000\u0000WAVEfmt \u0010\u0000\u0000\u0000'), 'a.wav', 'audio/wav', /^inline/],
  ];
  for (const [bytes, name, type, disposition] of cases) {
    const file = await upload(alice, bytes, name);
    const response = await get(world, file.url);
    await response.arrayBuffer();
    const found = Object.fromEntries(response.headers);
    expect([name, file.kind, found]).toMatchObject([
      name,
      type.startsWith('image/') ? 'photo' : 'file',
      {
        'content-type': type,
        'content-disposition': expect.stringMatching(disposition),
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
        'cross-origin-resource-policy': 'same-origin',
        'cache-control': 'private, max-age=600',
      },
    ]);
  }
  // Pages of another origin cannot embed the file, unless that origin is allowed.
  await using open = await createWorld({ env: { ALLOWED_ORIGINS: 'https://app.example' } });
  const { url } = await upload(await open.person('alice'), 'x');
  const headers = { origin: 'https://app.example' };
  const response = await get(open, url, { headers });
  expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
  expect(response.headers.get('access-control-allow-origin')).toBe('https://app.example');
  await response.arrayBuffer();
});

test('FILE-4: a person who is removed, disabled or leaves loses the file immediately', async () => {
  await using world = await createWorld();
  const { alice, bob, cid } = await world.people('alice', 'bob', 'cid');
  const { id: chat_id } = await world.group(alice, bob, cid);
  const file = await upload(alice, 'secret');
  const { id: message_id } = await alice.api.sendMessage({ chat_id, text: '', attachments: [{ id: file.id }] });
  const urlOf = async (actor: Actor) => (await actor.api.getChatHistory({ chat_id })).items[0]?.attachments[0]?.url;
  const [ofBob, ofCid] = [await urlOf(bob), await urlOf(cid)];
  const see = async () => Promise.all([file.url, ofBob, ofCid].map(async (url) => (await get(world, url)).status));
  expect(await see()).toEqual([200, 200, 200]);
  await alice.api.removeMember({ chat_id, username: 'bob' });
  await cid.api.deleteMessagesForMe({ message_ids: [message_id] });
  expect(await see()).toEqual([200, 404, 404]);
  await alice.api.addMembers({ chat_id, usernames: ['bob'] });
  expect(await see()).toEqual([200, 200, 404]);
  await bob.api.leaveChat({ chat_id });
  expect(await see()).toEqual([200, 404, 404]);
  // The answer is the same as for an unknown file.
  const [gone, never] = await Promise.all(
    [`/files/${file.id}`, `/files/${message_id}`].map(async (url) =>
      (await get(world, url, { headers: { authorization: `Bearer ${bob.token}` } })).json(),
    ),
  );
  expect(gone).toEqual(never);
  const member = await world.member();
  const own = await upload(member, 'own');
  expect((await get(world, own.url)).status).toBe(200);
  const disable = { username: member.username, isDisabled: true };
  await world.service.units.run('switchAccount', theService, disable, Date.now());
  expect((await get(world, own.url)).status).toBe(403);
});

test('FILE-4, GROUP-9: the files of a deleted channel are 404', async () => {
  await using world = await createWorld();
  const { alice, bob } = await world.people('alice', 'bob');
  const { id: chat_id } = await world.group(alice, bob);
  const channel = await alice.api.createChannel({ chat_id, title: 'c' });
  const [inChannel, inBoth] = [await upload(alice, 'one'), await upload(alice, 'both')];
  const attachments = [{ id: inChannel.id }, { id: inBoth.id }];
  await alice.api.sendMessage({ chat_id, channel_id: channel.id, text: '', attachments });
  await alice.api.sendMessage({ chat_id, text: '', attachments: [{ id: inBoth.id }] });
  expect(await Promise.all([inChannel, inBoth].map((file) => statusFor(world, bob, file)))).toEqual([200, 200]);
  await alice.api.deleteChannel({ chat_id, channel_id: channel.id });
  for (const actor of [alice, bob])
    expect(await Promise.all([inChannel, inBoth].map((file) => statusFor(world, actor, file)))).toEqual([404, 200]);
});

test('FILE-5, LOG-17: after messages with files, edits and deletions every client has the state of a fresh one', async () => {
  await using world = await createWorld();
  const { alice, bob } = await world.people('alice', 'bob');
  const { id: chat_id } = await world.group(alice, bob);
  const file = await upload(alice, await photo('jpeg'), 'a.jpg');
  await checkReplay(world, [alice, bob], async () => {
    const { id } = await alice.api.sendMessage({ chat_id, text: 'look', attachments: [{ id: file.id }] });
    await bob.api.sendMessage({ chat_id, text: 'again', attachments: [{ id: file.id }] });
    await alice.api.deleteMessages({ message_ids: [id] });
  });
  expect((await alice.api.getChatHistory({ chat_id })).items).toMatchObject([{ attachments: [{ id: file.id }] }]);
});

test('FILE-5, KEY-9: neither signatures nor their key appear in a log line, error or metric', async () => {
  await using world = await createWorld();
  const alice = await world.person('alice');
  const { url } = await upload(alice, 'x');
  const signature = new URLSearchParams(url.replace(/.*\?/, '')).get('s') ?? '';
  for (const address of [url, url.replace('e=', 'e=9'), url.replace(/files\/.{8}/, 'files/00000000')]) {
    const response = await get(world, address);
    const text = await response.text();
    if (response.status !== 200) expect(text).not.toContain(signature);
  }
  const metrics = await (await get(world, '/metrics')).text();
  expect(metrics).toContain('parley_files_uploaded 1\n');
  expect(metrics).toContain('parley_file_bytes_uploaded 1\n');
  expect(signature).toHaveLength(22);
  expect(JSON.stringify(world.logs) + metrics).not.toContain(signature);
});
