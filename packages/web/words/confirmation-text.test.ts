import { expect, test } from 'vitest';
import { answerToAction } from '../../server/rules/component-actions.ts';
import { confirmationText } from './confirmation-text.ts';

const limit = 'Send the limit price as a message, for example 182.50.';
const german = {
  titles: {
    'Buy order placed': 'Kauf beauftragt',
    'Sell order placed': 'Verkauf beauftragt',
    'Alert set': 'Alarm gestellt',
    'Form submitted': 'Gesendet',
  },
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

test.each([
  ['trade:buy:ACME:10', 'Kauf beauftragt'],
  ['trade:sell:BTC-USD:0.5', 'Verkauf beauftragt'],
  ['alert:^GSPC:gt:5000', 'Alarm gestellt" body="^GSPC über 5000'],
  ['alert:EUR/USD:lt:-1.5', 'Alarm gestellt" body="EUR/USD unter -1.5'],
  ['modify:limit', 'Sende das Limit.'],
  ['form_submit:a: b', 'Gesendet'],
  ['vote:yes', 'Verstanden.'],
])('WEB-430: the confirmation that the service writes for %s is in the app’s words', (action, words) => {
  const answer = answerToAction({ action, by: { username: 'bob', displayName: 'Bob: {% card title="Alert set"' } });
  expect(confirmationText(answer.kind === 'reply' ? answer.text : '', german)).toContain(words);
});
