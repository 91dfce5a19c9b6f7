import { t } from '../../words/t.ts';

/** How the two forms name `group_monthly_tokens`. */
export const groupBudget = {
  label: t('Monthly tokens in each group'),
  hint: t('For all replies there on your key, your own included. You get a warning at 80%.'),
} as const;
