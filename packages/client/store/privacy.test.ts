import { settled } from '@parley/testing/sdk/fake-service.ts';
import { message, showing } from '@parley/testing/sdk/shown-store.ts';
import { expect, test } from 'vitest';

const shared = { read_receipts: true, last_seen: true, link_previews: true };

test('LINK-9: the store loads the privacy settings when they are shown, and takes changes of other devices', async () => {
  const { store, socket, frame } = await showing([message('m1', 1)]);
  const asked = () => socket.sent.filter(({ method }) => method === 'getPrivacy').length;
  expect([asked(), store.privacy.get()]).toEqual([0, undefined]);
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
