import { expect, test } from 'vitest';
import { isLoopbackName } from '../../rules/loopback.ts';
import { readOidc, roleOfGroups } from './oidc-config.ts';

const corp = { id: 'corp', name: 'Corp', issuer: 'https://login.example/realms/a', client_id: 'parley' };
const read = (value: unknown) =>
  readOidc(() => (typeof value === 'string' ? value : JSON.stringify(value)), isLoopbackName);

test('OIDC-1: OIDC is a list of issuers, with what is left out by default', () => {
  expect(readOidc(() => undefined, isLoopbackName)).toEqual([]);
  expect(read([corp])).toMatchObject([
    { id: 'corp', clientSecret: null, scopes: ['openid', 'profile', 'email'], groupsClaim: null, only: false },
  ]);
  for (const issuer of ['http://127.0.0.1:9000', 'http://localhost:9000/x', 'http://[::1]:9000'])
    expect(read([{ ...corp, issuer }])).toMatchObject([{ issuer }]);
});

test.for([
  ['no JSON', 'x', /JSON list/],
  ['no list', corp, /the list/],
  ['an owner', [{ ...corp, groups_claim: 'groups', roles: { boss: 'owner' } }], /roles\.boss: must be one of guest/],
  ['roles without a claim', [{ ...corp, roles: { a: 'admin' } }], /corp: roles needs groups_claim/],
  ['http elsewhere', [{ ...corp, issuer: 'http://login.example' }], /must be https, unless on loopback/],
  ['no address', [{ ...corp, issuer: 'login.example' }], /must be an https URL/],
  ['a password in the address', [{ ...corp, issuer: 'https://a:hush@login.example' }], /must be an https URL/],
  ['an id for no address', [{ ...corp, id: '../x' }], /0\.id/],
  ['the same id', [corp, { ...corp, issuer: 'https://other.example' }], /the same id/],
  ['the same issuer', [corp, { ...corp, id: 'other' }], /the same issuer/],
  ['scopes without openid', [{ ...corp, scopes: ['email'] }], /must contain openid/],
  ['a field that is not known', [{ ...corp, client_secrets: 'hush' }], /client_secrets/],
] as const)('OIDC-1: %s is an error at start', ([, value, message]) => {
  expect(() => read(value)).toThrow(message);
  expect(() => read(value)).not.toThrow(/hush/);
});

test('OIDC-7: the highest role of a person’s groups; a claim of another shape gives none', () => {
  const roles = new Map([
    ['staff', 'moderator'],
    ['it', 'admin'],
    ['outside', 'guest'],
  ] as const);
  const given = [
    ['outside', 'it', 'staff'],
    'staff',
    ['outside'],
    [],
    [7, null],
    { staff: true },
    undefined,
    ['owner'],
  ];
  expect(given.map((groups) => roleOfGroups({ roles }, groups))).toEqual([
    'admin',
    'moderator',
    'guest',
    'member',
    'member',
    'member',
    'member',
    'member',
  ]);
});
