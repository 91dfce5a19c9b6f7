import { expect, test } from 'vitest';
import { ApiError, createApi } from './api.ts';

/** A fake fetch that records its requests and always gives the same answer. */
function fakeFetch(status: number, body: string) {
  const requests: Request[] = [];
  const fetch = async (input: string | URL | Request, init?: RequestInit) => {
    requests.push(new Request(input, init));
    return new Response(body, { status });
  };
  return { requests, fetch };
}

test('an operation is a POST with its params as JSON and the token as bearer', async () => {
  const { requests, fetch } = fakeFetch(200, '{"ok":true,"result":{"ids":["a"]}}');
  const api = createApi({ url: 'http://service.example/', token: 's_1', fetch });
  const result = await api.deleteMessages({ message_ids: ['a'] });
  expect(result).toEqual({ ids: ['a'] });
  expect(requests[0]?.url).toBe('http://service.example/api/deleteMessages');
  expect(requests[0]?.method).toBe('POST');
  expect(requests[0]?.headers.get('authorization')).toBe('Bearer s_1');
  expect(requests[0]?.headers.get('content-type')).toBe('application/json');
  expect(await requests[0]?.json()).toEqual({ message_ids: ['a'] });
});

test('an operation without required fields can be called without params; one without a result answers undefined', async () => {
  const { requests, fetch } = fakeFetch(200, '{"ok":true}');
  expect(await createApi({ url: 'http://service.example', fetch }).signOut()).toBeUndefined();
  expect(await requests[0]?.json()).toEqual({});
  expect(requests[0]?.headers.has('authorization')).toBe(false);
});

test('ERR-1: an error reply is thrown with its status, code, description and parameters', async () => {
  const body = '{"ok":false,"error_code":"conflict","description":"does not fit","parameters":{"offset":7}}';
  const api = createApi({ url: 'http://service.example', fetch: fakeFetch(409, body).fetch });
  const failure = await api.getMe().catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ApiError);
  expect(failure).toMatchObject({
    status: 409,
    code: 'conflict',
    description: 'does not fit',
    parameters: { offset: 7 },
  });
});

test.each([
  [502, '<h1>Bad gateway</h1>', 'unavailable'],
  [200, 'null', 'internal'],
  [200, '', 'internal'],
])('a reply that does not come from the service (%i %s) throws an ApiError', async (status, body, code) => {
  const api = createApi({ url: 'http://service.example', fetch: fakeFetch(status, body).fetch });
  await expect(api.getMe()).rejects.toMatchObject({ name: 'ApiError', status, code, parameters: {} });
});

test('awaiting the client resolves to the client: it is not a thenable', async () => {
  const api = createApi({ url: 'http://service.example', fetch: fakeFetch(200, '{"ok":true}').fetch });
  expect(await Promise.resolve(api)).toBe(api);
});
