/** How the two forms name `group_monthly_tokens`. */
export const groupBudget = {
  label: 'Monthly tokens in each group',
  hint: 'For all replies there on your key, your own included. You’re told at 80%.',
} as const;
