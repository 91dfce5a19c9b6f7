import { expect, test } from 'vitest';
import { confirmationText } from './confirmation-text.ts';

const limit = 'Send the limit price as a message, for example 182.50.';
const german = {
  titles: { 'Buy order placed': 'Kauf beauftragt', 'Alert set': 'Alarm gestellt', 'Form submitted': 'Gesendet' },
  sentences: { 'Got it.': 'Verstanden.', [limit]: 'Sende das Limit.' },
  alert: (symbol: string, side: string, value: string) => `${symbol} ${side === 'above' ? 'über' : 'unter'} ${value}`,
};

test.each([
  [
    'bob: {% card title="Buy order placed" body="10 ACME" by="bob" /%}',
    'bob: {% card title="Kauf beauftragt" body="10 ACME" by="bob" /%}',
  ],
  [
    'bob: {% card title="Alert set" body="ACME below -5" by="bob" /%}',
    'bob: {% card title="Alarm gestellt" body="ACME unter -5" by="bob" /%}',
  ],
  [
    'bob: {% card title="Form submitted" form="a: b" by="bob" /%}',
    'bob: {% card title="Gesendet" form="a: b" by="bob" /%}',
  ],
  ['Bob: the builder: Got it.', 'Bob: the builder: Verstanden.'],
  [`bob: ${limit}`, 'bob: Sende das Limit.'],
])('WEB-430: the confirmation %s in the app’s words', (content, text) => {
  expect(confirmationText(content, german)).toBe(text);
  // In English it says the same.
  expect(confirmationText(content)).toBe(content);
});

test('WEB-430: a confirmation that was edited, and what it says besides, stay as they are', () => {
  for (const content of [
    'bob: {% card title="Sold out" body="ACME above 5" by="bob" /%}',
    'bob: {% card title="constructor" by="bob" /%}',
    'Got it.',
    'bob: Got it. Thanks.',
    'bob: Got it.: no',
    '',
  ])
    expect(confirmationText(content, german)).toBe(content);
});
