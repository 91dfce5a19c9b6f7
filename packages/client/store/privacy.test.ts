import { settled } from '@parley/testing/sdk/fake-service.ts';
import { message, showing } from '@parley/testing/sdk/shown-store.ts';
import { expect, test } from 'vitest';

const shared = { read_receipts: true, last_seen: true, link_previews: true };

test('LINK-9: the store loads the privacy settings when they are shown, and takes changes of other devices', async () => {
  const { store, socket, frame } = await showing([message('m1', 1)]);
  const asked = () => socket.sent.filter(({ method }) => method === 'getPrivacy').length;
  expect([asked(), store.privacy.get()]).toEqual([0, undefined]);
  store.privacy.subscribe(() => {});
  // A second one, before the answer.
  store.privacy.subscribe(() => {});
  expect(asked()).toBe(1);
  socket.answer('getPrivacy', shared);
  await settled();
  expect(store.privacy.get()).toEqual(shared);
  frame('privacyUpdated', { ...shared, link_previews: false });
  expect(store.privacy.get()).toEqual({ ...shared, link_previews: false });
  store.privacy.subscribe(() => {});
  expect(asked()).toBe(0);
});

test('LINK-9: what was known last stays until the settings are loaded again, also in a restored store', async () => {
  const former = await showing([message('m1', 1)]);
  former.frame('privacyUpdated', shared);
  const saved = former.store.save() ?? undefined;
  const { service, store } = await showing([message('m1', 1)], { saved });
  const asked = () => service.socket.sent.filter(({ method }) => method === 'getPrivacy').length;
  expect([asked(), store.privacy.get()]).toEqual([0, shared]);
  const end = store.privacy.subscribe(() => {});
  expect([asked(), store.privacy.get()]).toEqual([1, shared]);
  service.socket.answer('getPrivacy', { ...shared, link_previews: false });
  await settled();
  end();
  service.socket.end(1006);
  await service.clock.advance(10_000);
  service.socket.hello(0);
  await settled();
  expect([asked(), store.privacy.get()]).toEqual([0, { ...shared, link_previews: false }]);
  store.privacy.subscribe(() => {});
  expect(asked()).toBe(1);
});
