import { expect, test } from 'vitest';
import { agentRoute, chatRoute, hrefOf, newAgentRoute, parseRoute, type Route } from './route.ts';

test.each<[string, Route]>([
  ['/inbox', { name: 'inbox' }],
  ['/agents', { name: 'shelf' }],
  ['/admin/accounts', { name: 'admin', page: 'accounts' }],
  ['/settings/agents', { name: 'settings', section: 'agents' }],
  ['/settings/agents?key=ann%3Aprovider_b', { name: 'settings', section: 'agents', keyOf: 'ann:provider_b' }],
  ['/settings/agents/new', newAgentRoute()],
  ['/settings/agents/new?copy=ann%3Atutor', newAgentRoute('ann:tutor')],
  ['/settings/agents/ann%3Atutor', agentRoute('ann:tutor')],
  ['/chat/c', chatRoute('c')],
  ['/chat/c/channel/d?day=2026-11-21', chatRoute('c', { channelId: 'd', day: '2026-11-21' })],
  ['/chat/c/thread/t?m=x', chatRoute('c', { threadRootId: 't', messageId: 'x' })],
  ['/new', { name: 'new' }],
  ['/share?text=roses%0Ain%20May', { name: 'share', shared: 'roses\nin May' }],
])('the address %s and its route lead to each other', (href, route) => {
  const { pathname, search } = new URL(href, 'http://localhost');
  expect(parseRoute(pathname, search)).toEqual(route);
  expect(hrefOf(route)).toBe(href);
});

test.each([
  ['title=Roses&text=in+May&url=https%3A%2F%2Froses.example', 'Roses\nin May\nhttps://roses.example'],
  ['title=Roses&text=Roses+https%3A%2F%2Froses.example&url=https%3A%2F%2Froses.example', 'Roses https://roses.example'],
  ['title=Roses&text=Roses', 'Roses'],
  ['', ''],
])('WEB-341: of %s the app shares each part once', (query, shared) => {
  expect(parseRoute('/share', `?${query}`)).toEqual({ name: 'share', shared });
});
