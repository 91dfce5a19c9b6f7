import { expect, test } from 'vitest';
import {
  type EventDeclaration,
  eventDeclarations,
  operationNames,
  operations,
  ownNames,
  socketMethods,
} from './index.ts';

test('TRANS-1: every dotted method of the interface calls its operation', () => {
  const table: Record<string, string> = {
    'auth.login': 'signIn',
    'auth.me': 'getMe',
    'accounts.get': 'getUser',
    'accounts.list': 'getUsers',
    'conversations.list': 'getChats',
    'conversations.get': 'getChat',
    'conversations.create': 'startChat',
    'messages.send': 'sendMessage',
    'messages.history': 'getChatHistory',
    'messages.delete': 'deleteMessages',
    'messages.delete_for_me': 'deleteMessagesForMe',
    'reactions.add': 'setMessageReaction',
    'reactions.remove': 'setMessageReaction',
    'typing.set': 'sendChatAction',
    'streams.start': 'startMessageStream',
    'streams.append': 'appendMessageStream',
    'streams.finish': 'finishMessageStream',
  };
  const found = Object.fromEntries(Object.keys(table).map((method) => [method, socketMethods.get(method)?.operation]));
  expect(found).toEqual(table);
  for (const name of operationNames) expect(socketMethods.get(name)?.operation).toBe(name);
});

test('TRANS-2: dotted methods take internal names; all other fields keep theirs', () => {
  const method = socketMethods.get('messages.send');
  if (!method) throw new Error('messages.send is missing');
  const own = ownNames(method, { conversation_id: 'c', content: 'hi', reply_to_id: 'r', client_msg_id: 'k' });
  expect(own).toEqual({ chat_id: 'c', text: 'hi', reply_to_message_id: 'r', client_msg_id: 'k' });
  expect(ownNames(method, { chat_id: 'mine', conversation_id: 'other' })).toMatchObject({ chat_id: 'mine' });
  const odd = ownNames(method, JSON.parse('{"__proto__":{"text":"inherited"},"conversation_id":"c"}'));
  expect([Object.getPrototypeOf(odd), Object.keys(odd)]).toEqual([Object.prototype, ['chat_id']]);
});

test('LIMIT-4: text is bounded in UTF-8 bytes, ids must be UUIDs, limits are cut to their maximum', () => {
  const chat_id = '00000000-0000-7000-8000-000000000000';
  const { input } = operations.getChatHistory;
  expect(input.parse({ chat_id, limit: 1_000_000 }).limit).toBe(200);
  expect(input.parse({ chat_id }).limit).toBe(50);
  for (const limit of [0, -1, 1.5, '5', Number.POSITIVE_INFINITY, 2 ** 60])
    expect(input.safeParse({ chat_id, limit }).success, String(limit)).toBe(false);
  expect(input.safeParse({ chat_id: 'nope' }).success).toBe(false);
  const draft = operations.saveDraft.input;
  expect(draft.safeParse({ chat_id, text: 'ä'.repeat(16 * 1024) }).success).toBe(true);
  expect(draft.safeParse({ chat_id, text: 'ä'.repeat(16 * 1024 + 1) }).error?.issues[0]?.message).toBe('too large');
  expect(draft.safeParse({ chat_id, text: '\ud800' }).success).toBe(false);
});

test('each stored kind of event has a name and a code of its own', () => {
  const kinds = Object.values<EventDeclaration>(eventDeclarations).flatMap((declaration) =>
    'kinds' in declaration ? Object.entries(declaration.kinds) : [],
  );
  const names = kinds.map(([name]) => name);
  const codes = kinds.flatMap(([, { code }]) => code ?? []);
  expect(codes.length).toBeGreaterThan(0);
  expect(names).toEqual([...new Set(names)]);
  expect(codes).toEqual([...new Set(codes)]);
  // 0 says that a kind is not stored.
  expect(codes).not.toContain(0);
});
