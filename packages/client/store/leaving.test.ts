import { settled } from '@parley/testing/sdk/fake-service.ts';
import { message, result, showing } from '@parley/testing/sdk/shown-store.ts';
import { expect, test } from 'vitest';

/** A page that is left when the test calls `leave`. */
class Leaving {
  readonly #listeners = new Set<() => void>();

  readonly onLeave = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  leave(): void {
    for (const listener of this.#listeners) listener();
  }
}

test('SDK-27: on leave, an unsaved draft is saved by a request that outlives the page', async () => {
  const page = new Leaving();
  const { service, store, socket } = await showing([message('m1', 1)], { page });
  service.answers['saveDraft'] = result({});
  store.saveDraft({ chat_id: 'chat' }, 'hello');
  page.leave();
  await settled();
  const params = expect.objectContaining({ chat_id: 'chat', text: 'hello' });
  expect(service.requests.at(-1)).toEqual({ name: 'saveDraft', params, keepalive: true });
  // The draft is saved: returning to the page sends nothing.
  const count = service.requests.length;
  page.leave();
  await service.clock.advance(5_000);
  expect(service.requests).toHaveLength(count);
  expect(socket.sent).not.toContainEqual(expect.objectContaining({ method: 'saveDraft' }));
});

test('SDK-27: if the request on leave fails and the page still exists, the draft is saved normally', async () => {
  const page = new Leaving();
  const { service, store, socket } = await showing([message('m1', 1)], { page });
  store.saveDraft({ chat_id: 'chat' }, 'a long text');
  page.leave();
  await settled();
  expect(service.requests.at(-1)).toMatchObject({ name: 'saveDraft', keepalive: true });
  expect(socket.sent.at(-1)).toMatchObject({ method: 'saveDraft', params: { text: 'a long text' } });
  socket.answer('saveDraft', {});
  await settled();
  const count = service.requests.length;
  page.leave();
  expect(service.requests).toHaveLength(count);
});
