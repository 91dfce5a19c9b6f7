// A person's first steps, with openapi-fetch and the types that openapi-typescript makes.
import assert from 'node:assert/strict';
import createClient, { type Middleware } from 'openapi-fetch';
import type { components, paths } from './parley-api.ts';

const [, , url = '', username = ''] = process.argv;

const api = createClient<paths>({ baseUrl: url });
const signedUp = await api.POST('/api/signUp', { body: { username, password: 'a long password' } });
assert(signedUp.data);
const { token } = signedUp.data.result;
const withToken: Middleware = {
  onRequest({ request }) {
    request.headers.set('authorization', `Bearer ${token}`);
  },
};
api.use(withToken);

const group = await api.POST('/api/startChat', { body: { usernames: [], title: 'Smoke' } });
assert(group.data);
const { id: chat_id } = group.data.result;

const form = new FormData();
form.set('file', new File(['hello'], 'hello.txt'));
const uploaded = await api.POST('/api/uploadFile', { body: { file: '' }, bodySerializer: () => form });
assert(uploaded.data);
const attachments = [{ id: uploaded.data.result.id }];
const sent = await api.POST('/api/sendMessage', { body: { chat_id, text: 'Hello', attachments } });
assert(sent.data);

const page = await api.POST('/api/getChatHistory', { body: { chat_id } });
assert(page.data);
const messages: components['schemas']['Message'][] = page.data.result.items;
assert.deepEqual(
  messages.map(({ content, attachments: [file] }) => [content, file?.name]),
  [['Hello', 'hello.txt']],
);

const refused = await api.POST('/api/sendMessage', { body: { chat_id, text: '' } });
assert.equal(refused.error?.error_code, 'invalid_argument');
