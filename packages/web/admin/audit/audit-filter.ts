/** What is typed into the fields of the filter. */
export const nothing = { actor: '', target: '', action: '', after: '', before: '' };

export type AuditFilter = Partial<typeof nothing>;

/** What getAudit takes. Empty fields, and times that are not complete yet, select nothing. */
export function filterOf({ actor, target, action, after, before }: typeof nothing): AuditFilter {
  const named = Object.entries({ actor, target, action }).flatMap(([name, value]) => {
    const text = value.trim().replace(/^@/, '');
    return text === '' ? [] : [[name, text] as const];
  });
  const times = Object.entries({ after, before }).flatMap(([name, value]) => {
    const ms = new Date(value).getTime();
    return Number.isNaN(ms) ? [] : [[name, new Date(ms).toISOString()] as const];
  });
  return Object.fromEntries([...named, ...times]);
}
