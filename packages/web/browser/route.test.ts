import { expect, test } from 'vitest';
import { agentRoute, hrefOf, newAgentRoute, parseRoute, type Route } from './route.ts';

test.each<[string, Route]>([
  ['/settings/agents', { name: 'settings', section: 'agents' }],
  ['/settings/agents/new', newAgentRoute()],
  ['/settings/agents/new?copy=ann%3Atutor', newAgentRoute('ann:tutor')],
  ['/settings/agents/ann%3Atutor', agentRoute('ann:tutor')],
])('the address %s and its route lead to each other', (href, route) => {
  const { pathname, search } = new URL(href, 'http://localhost');
  expect(parseRoute(pathname, search)).toEqual(route);
  expect(hrefOf(route)).toBe(href);
});
