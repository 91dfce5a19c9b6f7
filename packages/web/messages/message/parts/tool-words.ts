import type { ToolStatus } from '@parley/protocol';
import { t } from '../../../words/t.ts';

export const toolWords: Readonly<Record<ToolStatus, string>> = {
  pending: t('Waiting'),
  needs_approval: t('Needs approval'),
  running: t('Running'),
  done: t('Done'),
  failed: t('Failed'),
  denied: t('Denied'),
  unknown: t('No result'),
  expired: t('Expired'),
};

/** What a tool was given or has answered, as text: JSON on several lines, strings as they are; empty for nothing. */
export function codeOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const json = JSON.stringify(value, null, 2) as string | undefined; // undefined for undefined
  return json === undefined || json === '{}' ? '' : json;
}
