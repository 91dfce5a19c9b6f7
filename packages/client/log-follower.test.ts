import { expect, test } from 'vitest';
import { createClient } from './create-client.ts';
import { FakeService, settled } from '@parley/testing/sdk/fake-service.ts';
import { ConnectionError } from './requests.ts';

/** A client that is live at position 10, and the texts of the alerts that it delivered. */
async function following() {
  const service = new FakeService();
  const client = createClient(service.options);
  const received: string[] = [];
  client.on('alert', ({ text }, { isReplay }) => received.push(isReplay ? `${text}*` : text));
  client.on('reload', ({ head }) => received.push(`reload ${head}`));
  service.socket.hello(10);
  await settled();
  return { service, client, received, socket: service.socket };
}

const alert = (seq: number, prev: number) => ({
  method: 'events.alert',
  params: { text: String(seq), level: 'info' },
  seq,
  prev,
});

test('SDK-5: frames are delivered in order, each once', async () => {
  const { client, received, socket } = await following();
  socket.frame(12, 10);
  socket.frame(12, 10);
  socket.frame(11, 10);
  socket.frame(15, 12);
  expect(received).toEqual(['12', '15']);
  client.close();
});

test('SDK-43: a listener for the name of the wire is refused, with the name that the client gives the event', async () => {
  const { client } = await following();
  const untyped: { on: (name: string, listener: () => void) => unknown } = client as never; // as from JavaScript
  expect(() => untyped.on('events.messageNew', () => undefined)).toThrow(
    new TypeError('listen for "messageNew", not for "events.messageNew"'),
  );
  client.close();
});

test('SDK-6: a gap is fetched page by page before the frame that revealed it is delivered; later frames wait', async () => {
  const { client, received, socket } = await following();
  socket.frame(20, 15);
  socket.frame(21, 20);
  expect([client.state, received]).toEqual(['recovering', []]);
  expect(socket.sent[0]).toMatchObject({ method: 'getUpdates', params: { since: 10 } });
  socket.answer('getUpdates', { frames: [alert(12, 10)], head: 15, more: true });
  await settled();
  expect(socket.sent[0]).toMatchObject({ params: { since: 12 } });
  socket.answer('getUpdates', { frames: [alert(14, 12), alert(15, 14)], head: 15 });
  await settled();
  expect([client.state, received]).toEqual(['live', ['12*', '14*', '15*', '20', '21']]);
  client.close();
});

test('SDK-7: events that hello or tick show to be missing are fetched', async () => {
  const { client, received, service, socket } = await following();
  socket.receive({ method: 'events.tick', params: { head: 11 } });
  socket.answer('getUpdates', { frames: [alert(11, 10)], head: 11 });
  await settled();
  socket.end(1006);
  await service.clock.advance(1_000);
  service.socket.hello(13);
  await settled();
  expect(service.socket.sent[0]).toMatchObject({ method: 'getUpdates', params: { since: 11 } });
  service.socket.answer('getUpdates', { frames: [alert(13, 11)], head: 13 });
  await settled();
  expect([client.state, received]).toEqual(['live', ['11*', '13*']]);
  client.close();
});

test('SDK-7: a client created with `since` follows the log from there', async () => {
  const service = new FakeService();
  const client = createClient({ ...service.options, since: 7 });
  const received: string[] = [];
  client.on('alert', ({ text }) => received.push(text));
  service.socket.hello(10);
  await settled();
  expect(service.socket.sent[0]).toMatchObject({ method: 'getUpdates', params: { since: 7 } });
  service.socket.answer('getUpdates', { frames: [alert(9, 7)], head: 10 });
  await settled();
  expect([client.state, client.position, received]).toEqual(['live', 10, ['9']]);
  client.close();
});

test('SDK-8: if too many events were missed, `reload` is delivered first, then later events', async () => {
  const { client, received, socket } = await following();
  socket.frame(90, 80);
  socket.answer('getUpdates', { frames: [], head: 90, truncated: true });
  await settled();
  expect(received).toEqual(['reload 90']);
  socket.frame(91, 90);
  expect(received).toEqual(['reload 90', '91']);
  client.close();
});

test('SDK-8: an attached store loads before it receives events, and again if too many were missed', async () => {
  const { client, received, socket } = await following();
  const loads: PromiseWithResolvers<number>[] = [];
  const load = (): Promise<number> => {
    const waiting = Promise.withResolvers<number>();
    loads.push(waiting);
    return waiting.promise;
  };
  client.attach({ load, deliver: (work) => work() });
  socket.frame(12, 10);
  expect(received).toEqual([]);
  loads[0]?.resolve(12);
  await settled();
  socket.frame(14, 12);
  expect(received).toEqual(['14']);
  socket.frame(99, 90);
  socket.answer('getUpdates', { frames: [], head: 99, truncated: true });
  await settled();
  expect(loads).toHaveLength(2);
  loads[1]?.reject(new ConnectionError('no'));
  await settled();
  expect(client.state).toBe('recovering');
  client.close();
});

test('LOG-11: a frame outside the log is delivered immediately and does not move the position', async () => {
  const { client, received, socket } = await following();
  socket.frame(10, 10);
  socket.frame(11, 10);
  expect(received).toEqual(['10', '11']);
  client.close();
});

test('SDK-9: only a limited number of waiting frames is kept; the rest is fetched', async () => {
  const { client, received, socket } = await following();
  socket.frame(30, 20);
  for (let seq = 31; seq <= 3_000; seq += 1) socket.frame(seq, seq - 1);
  socket.answer('getUpdates', { frames: [alert(20, 10)], head: 20 });
  await settled();
  expect(socket.sent.at(-1)).toMatchObject({ method: 'getUpdates', params: { since: 2_029 } });
  socket.answer('getUpdates', { frames: [alert(3_000, 2_029)], head: 3_000 });
  await settled();
  expect([client.state, received.length, received.at(-1)]).toEqual(['live', 2_002, '3000*']);
  client.close();
});

test('SDK-5: a listener that throws does not affect the others', async () => {
  const service = new FakeService();
  const errors: unknown[] = [];
  const client = createClient({ ...service.options, onError: (error) => errors.push(error) });
  const received: string[] = [];
  client.on('alert', () => {
    throw new Error('mine');
  });
  client.on('alert', ({ text }) => received.push(text));
  service.socket.hello(0);
  await settled();
  service.socket.frame(1, 0);
  expect([received, errors]).toEqual([['1'], [new Error('mine')]]);
  client.close();
});

test('SDK-10: a call uses the socket while it is live, otherwise HTTP, and fails if the connection breaks', async () => {
  const { client, service, socket } = await following();
  const live = client.call('getMe');
  socket.answer('getMe', { username: 'me' });
  expect(await live).toEqual({ username: 'me' });
  const lost = client.call('getMe');
  socket.end(1006);
  await expect(lost).rejects.toBeInstanceOf(ConnectionError);
  await expect(client.call('getMe')).rejects.toBeInstanceOf(ConnectionError);
  service.answers['getMe'] = () => ({ body: { ok: true, result: { username: 'again' } } });
  expect(await client.call('getMe')).toEqual({ username: 'again' });
  client.close();
});
