import { createServer } from 'node:http';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { EndpointGuard, NoSuchName, type Resolve } from './endpoint-guard.ts';
import { isPublicAddress } from './public-address.ts';

const notPublic: [what: string, addresses: string[]][] = [
  ['unspecified', ['0.0.0.0', '0.1.2.3', '::']],
  ['loopback', ['127.0.0.1', '127.255.255.254', '::1']],
  ['private', ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.0.1', 'fc00::1', 'fdff::1']],
  ['link-local', ['169.254.0.1', '169.254.169.254', 'fe80::1', 'fe80::1%eth0', 'febf::1']],
  ['behind a carrier’s NAT', ['100.64.0.1', '100.127.255.255']],
  ['multicast or reserved', ['224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255', 'ff02::1']],
  ['mapped IPv4', ['::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:8.8.8.8', '::ffff:7f00:1', '::127.0.0.1']],
  ['NAT64', ['64:ff9b::7f00:1', '64:ff9b::808:808', '64:ff9b:1::1']],
  ['6to4 or Teredo', ['2002:7f00:1::', '2002:808:808::1', '2001:0:7f00:1::', '192.88.99.1']],
  [
    'reserved for documentation and tests',
    ['192.0.2.1', '198.51.100.1', '203.0.113.1', '198.18.0.1', '2001:db8::1', '3fff::1', '100::1', '192.0.0.1'],
  ],
  ['malformed', ['', 'localhost', '1.2.3', '1.2.3.4.5', '01.2.3.4', ':::', '[::1]']],
];

test.each(notPublic)('NOTIF-6: an address that is %s is not public', (_what, addresses) => {
  for (const address of addresses) expect(isPublicAddress(address), address).toBe(false);
});

test('NOTIF-6: an ordinary address is public', () => {
  const addresses = [
    '8.8.8.8',
    '93.184.216.34',
    '100.63.255.255',
    '100.128.0.0',
    '172.15.0.1',
    '172.32.0.1',
    '192.0.1.1',
    '223.255.255.255',
  ];
  addresses.push(
    '2606:4700:4700::1111',
    '2a00:1450:4001::200e',
    '2001:4860:4860::8888',
    '2001:200::1',
    '2003::1',
    '3ffe::1',
  );
  for (const address of addresses) expect(isPublicAddress(address), address).toBe(true);
});

const guardFor = (...answers: (string[] | Error)[]) => {
  const asked: string[] = [];
  const resolve: Resolve = async (host) => {
    asked.push(host);
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    if (!answer || answer instanceof Error) throw answer ?? new NoSuchName('must have an address whose name is known');
    return answer;
  };
  return { asked, guard: new EndpointGuard({ allowPrivate: false, resolve }) };
};
test('NOTIF-6: registering an endpoint makes no DNS query, and refuses addresses that are not public', () => {
  const { guard, asked } = guardFor(new Error('no network'));
  guard.admit('https://push.example/x', 'token');
  guard.admit('https://93.184.216.34/x', 'token');
  guard.admit('https://[2606:4700:4700::1111]/x', 'token');
  const refused = expect.objectContaining({ code: 'invalid_argument', parameters: { field: 'token' } });
  for (const endpoint of ['https://127.1/x', 'https://[::1]/x', 'https://017700000001/x', 'https://a.localhost./x'])
    expect(() => guard.admit(endpoint, 'token'), endpoint).toThrow(refused);
  expect(asked).toEqual([]);
});

test.each([
  ['that resolves to a private address', ['10.0.0.1']],
  ['that resolves to a public and a private address', ['8.8.8.8', '10.0.0.1']],
  ['that resolves to a mapped address', ['::ffff:8.8.8.8']],
])('PUSH-17: a name %s is refused when a push is sent', async (_what, addresses) => {
  const { guard, asked } = guardFor(addresses);
  const { requests, error } = await connectBy(guard);
  expect([requests, String(error)]).toEqual([0, 'Error: must have a public address']);
  expect(asked).toEqual(['push.example']);
});

/** Connects to a server on loopback by a name, through the guard's lookup. */
async function connectBy(guard: EndpointGuard): Promise<{ requests: number; error: unknown }> {
  let requests = 0;
  const server = createServer((_request, response) => {
    requests += 1;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on TCP
  const error = await new Promise((resolve) => {
    request(`http://push.example:${port}/`, { lookup: guard.lookup }, (answer) =>
      answer.resume().on('end', () => resolve(undefined)),
    )
      .on('error', resolve)
      .end();
  });
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  return { requests, error };
}

test('PUSH-17: a name that resolves to a private address by the time of the push is not connected to', async () => {
  const { guard } = guardFor(['127.0.0.1']);
  guard.admit('https://push.example/x', 'token');
  const { requests, error } = await connectBy(guard);
  expect([requests, String(error)]).toEqual([0, 'Error: must have a public address']);
});

test('PUSH-17: the name is resolved once, so the connection goes to the address that was checked', async () => {
  const asked: string[] = [];
  const resolve: Resolve = async (host) => {
    asked.push(host);
    return asked.length === 1 ? ['127.0.0.1'] : ['203.0.113.1'];
  };
  const { requests, error } = await connectBy(new EndpointGuard({ allowPrivate: true, resolve }));
  expect([requests, error, asked]).toEqual([1, undefined, ['push.example']]);
});

test('PUSH-17: a name without addresses fails instead of hanging', async () => {
  const { error } = await connectBy(new EndpointGuard({ allowPrivate: true, resolve: async () => [] }));
  expect(error).toBeInstanceOf(NoSuchName);
});
