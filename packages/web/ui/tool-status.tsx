import type { ToolStatus } from '@parley/protocol';
import {
  Ban,
  Check,
  CircleAlert,
  CircleQuestionMark,
  Clock,
  Hand,
  LoaderCircle,
  type LucideIcon,
  TimerOff,
} from 'lucide-react';
import { classNames } from '../browser/class-names.ts';
import { t } from '../words/t.ts';
import styles from './tool-status.module.css';

/** What has become of a call of a tool. */
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

const icons: Readonly<Record<ToolStatus, LucideIcon>> = {
  pending: Clock,
  needs_approval: Hand,
  running: LoaderCircle,
  done: Check,
  failed: CircleAlert,
  denied: Ban,
  unknown: CircleQuestionMark,
  expired: TimerOff,
};

const tones: Readonly<Record<keyof typeof icons, string | undefined>> = {
  pending: 'ui-faint',
  needs_approval: 'ui-warn',
  running: 'ui-accent',
  done: 'ui-accent',
  failed: 'ui-danger',
  denied: 'ui-danger',
  unknown: 'ui-faint',
  expired: 'ui-faint',
};

export function ToolStatusIcon({ status }: { status: ToolStatus }) {
  const Icon = icons[status];
  return <Icon className={classNames(tones[status], status === 'running' && styles['running'])} aria-hidden />;
}
