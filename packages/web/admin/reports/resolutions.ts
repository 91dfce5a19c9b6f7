import { t } from '../../words/t.ts';

/** What came of a report. */
export const resolutionTitles = {
  none: t('Nothing followed'),
  delete: t('The message was deleted'),
  disable: t('The account was disabled'),
  expired: t('Nobody looked at it in time'),
};
