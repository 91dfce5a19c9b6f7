import { t } from './t.ts';

/** What the service writes in a confirmation, by its English text (ACTION-1, ACTION-3). */
interface ConfirmationWords {
  readonly titles: Readonly<Record<string, string>>;
  readonly sentences: Readonly<Record<string, string>>;
  readonly alert: (symbol: string, side: string, value: string) => string;
}

const ours: ConfirmationWords = {
  titles: {
    'Buy order placed': t('Buy order placed'),
    'Sell order placed': t('Sell order placed'),
    'Alert set': t('Alert set'),
    'Form submitted': t('Form submitted'),
  },
  sentences: {
    'Got it.': t('Got it.'),
    'Send the limit price as a message, for example 182.50.': t(
      'Send the limit price as a message, for example 182.50.',
    ),
  },
  alert: (symbol, side, value) =>
    side === 'above' ? t('{symbol} above {value}', { symbol, value }) : t('{symbol} below {value}', { symbol, value }),
};

// Each stands after the name of the account that pressed, in which the service has escaped all markup.
const TITLE = /(?<=: \{% card title=")[^"]+(?=")/;
const ALERT = /(?<=: \{% card title="Alert set" body=")(\S+) (above|below) (\S+)(?=")/;
const SENTENCE = /(?<=: )[^:]+$/;

const wordIn = (words: Readonly<Record<string, string>>, english: string): string =>
  Object.hasOwn(words, english) ? (words[english] ?? english) : english;

/** The text of a confirmation with the service's words in the app's. What people and agents wrote stays. */
export function confirmationText(content: string, { titles, sentences, alert }: ConfirmationWords = ours): string {
  return content
    .replace(ALERT, (_, symbol: string, side: string, value: string) => alert(symbol, side, value))
    .replace(TITLE, (title) => wordIn(titles, title))
    .replace(SENTENCE, (sentence) => wordIn(sentences, sentence));
}
