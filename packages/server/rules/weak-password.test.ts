import { expect, test } from 'vitest';
import { weaknessOf } from './weak-password.ts';

test.each([
  'password',
  'Password1',
  'P@ssw0rd',
  'p4ssword!',
  'password2026',
  '123password',
  'qwerty123',
  'QWERTYUIOP',
  'iloveyou',
  '1loveyou!',
  'letmein99',
  'welcome1',
  'sunshine',
  'trustno1',
  'zaq12wsx',
  'aaaaaaaa',
  '11111111',
  '12121212',
  'football!!',
  '123456789',
  '1234567890',
  '0123456789',
  '87654321',
  '987654321',
  '11223344',
  '123123123',
  '12341234',
  '147258369',
  'a1234567',
  'abc12345',
  'pass1234',
  'aa123456',
  '1234abcd',
  '12345678!',
])('AUTH-23: %s is refused', (password) => {
  expect(weaknessOf(password, 'nora')).toMatch(/guessers try first/);
});

test.each(['nora_1990', 'NORA_1990', 'nora_1990nora_1990'])(
  "AUTH-23: %s, one's own username, is refused",
  (password) => {
    expect(weaknessOf(password, 'nora_1990')).toBe('must not be the username');
  },
);

test.each(['ann12345', 'ANN_2026!', '2026ann!!', '!!ann!!!'])(
  'AUTH-23: %s, the username ann decorated, is refused',
  (it) => {
    expect(weaknessOf(it, 'ann')).toBe('must not be the username with digits or signs around it');
  },
);

test.each([
  ['48151623', 'ann'],
  ['annabel 12', 'ann'],
  ['ann847362910475', 'ann'],
  ['al#82_91', 'al'],
  ['wolf8273', 'nora'],
  ['12345678', 'nora'],
])('AUTH-23: %s of %s is good enough', (password, username) => {
  expect(weaknessOf(password, username)).toBeNull();
});

test.each([
  'correct horse',
  'battery staple',
  'correct horse battery staple',
  'long enough',
  'whatever it is',
  'some password',
  'password of this house',
  'xk39fj2m',
  'x'.repeat(1_024),
  'пароль и ещё слово',
])('AUTH-23: %s is good enough', (password) => {
  expect(weaknessOf(password, 'nora')).toBeNull();
});
