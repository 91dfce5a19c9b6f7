import { t } from '../../words/t.ts';

/** When a poll or a decision ends by itself, in seconds, for a select field. */
export const endTimes = [
  { value: '3600', label: t('After an hour') },
  { value: '86400', label: t('After a day') },
  { value: '259200', label: t('After three days') },
  { value: '604800', label: t('After a week') },
];
