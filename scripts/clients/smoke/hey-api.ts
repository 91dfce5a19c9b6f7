// A person's first steps, with the client that @hey-api/openapi-ts makes.
import assert from 'node:assert/strict';
import { client } from './hey-api-client/client.gen.ts';
import { getChatHistory, signUp, startChat, uploadFile } from './hey-api-client/index.ts';
import { sendMessage } from '../../../packages/server/conversations/send-message.ts';

const [, , baseUrl = '', username = ''] = process.argv;

client.setConfig({ baseUrl });
const signedUp = await signUp({ body: { username, password: 'a long password' }, throwOnError: true });
client.setConfig({ auth: signedUp.data.result.token });

const group = await startChat({ body: { usernames: [], title: 'Smoke' }, throwOnError: true });
const { id: chat_id } = group.data.result;
const uploaded = await uploadFile({ body: { file: new File(['hello'], 'hello.txt') }, throwOnError: true });
const attachments = [{ id: uploaded.data.result.id }];
await sendMessage({ body: { chat_id, text: 'Hello', attachments }, throwOnError: true });

const page = await getChatHistory({ body: { chat_id }, throwOnError: true });
assert.deepEqual(
  page.data.result.items.map(({ content, attachments: [file] }) => [content, file?.name]),
  [['Hello', 'hello.txt']],
);

const refused = await sendMessage({ body: { chat_id, text: '' } });
assert.equal(refused.error?.error_code, 'invalid_argument');
