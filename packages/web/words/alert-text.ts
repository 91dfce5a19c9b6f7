import type { Actor, AlertCause } from '@parley/protocol';
import { calmText } from './calm-text.ts';
import { refusalText } from './error-text.ts';
import { noteOf } from './finish-notes.ts';
import { listOf } from './list-of.ts';
import { shownName } from './shown-name.ts';
import { t } from './t.ts';
import { webhookFailure } from './webhook-failure.ts';

interface AlertText {
  /** From whom it is; of the service's own alerts, what it is about. */
  readonly title?: string | undefined;
  /** The title that its sender has written, which may pretend to be somebody else's. */
  readonly heading?: string | undefined;
  readonly text: string;
}

type Alert = AlertText & {
  readonly from?: Actor | undefined;
  readonly cause?: AlertCause | undefined;
  /** Of a reply that failed. */
  readonly message_id?: string | undefined;
  readonly reason?: string | undefined;
};

/**
 * The service's own alerts in the app's words (WEB-430). Those of agents and people are in theirs, under the name
 * of their sender (WEB-476).
 */
export function alertText({ title, text, from, cause, message_id, reason }: Alert, maySetKeys: boolean): AlertText {
  const name = from && shownName(from);
  if (message_id !== undefined)
    return {
      title: name === undefined ? title : t('{name} couldn’t answer', { name }),
      text: noteOf('failed', reason ?? '', maySetKeys)?.text ?? text,
    };
  const own = cause && causeText(cause, name ?? '');
  if (name === undefined) return { title, text, ...own };
  const { title: heading, text: words } = own ?? { title, text };
  return { title: name, ...(heading && heading !== name && { heading: calmText(heading) }), text: calmText(words) };
}

/** Undefined for a cause that this build of the app does not know. */
function causeText(cause: AlertCause, name: string): AlertText | undefined {
  switch (cause.kind) {
    case 'scheduled_failed': {
      const reason = refusalText(cause.code, cause.message);
      return { title: t('Scheduled message not sent'), text: t('{reason} You find it under Scheduled.', { reason }) };
    }
    case 'schedule_failed': {
      const reason = refusalText(cause.code, cause.message);
      const title = cause.state === 'ended' ? t('A schedule has ended') : t('A schedule was paused');
      return { title, text: t('{reason} You find it under Scheduled.', { reason }) };
    }
    case 'reminder_failed':
      return { title: t('A reminder couldn’t be sent'), text: refusalText(cause.code, cause.message) };
    case 'agents_left_out':
      return { text: leftOutText(cause) };
    case 'stop_refused':
      return { text: t('You may not stop {name} here.', { name }) };
    case 'webhook_disabled': {
      const { host } = cause;
      const failure = webhookFailure(cause.failure_cause, cause.failure);
      const text = t('{host} hasn’t accepted events for three days. Last error: {failure}', { host, failure });
      return { title: t('A webhook was disabled'), text };
    }
    case 'budget_nearly_used':
      return { title: name, text: budgetText(cause) };
    // A newer service.
    default:
      return undefined;
  }
}

type Cause<Kind extends AlertCause['kind']> = Extract<AlertCause, { kind: Kind }>;

function leftOutText({ limit, agents, count, per_message, in_all }: Cause<'agents_left_out'>): string {
  const more = count - agents.length;
  const names = listOf([...agents.map(shownName), ...(more > 0 ? [t('{count, number} more', { count: more })] : [])]);
  if (limit === 'waiting')
    return t('{names} won’t answer this: too many of your messages wait for them already. Ask again later.', { names });
  const values = { names, perMessage: per_message ?? 0, inAll: in_all ?? 0 };
  return limit === 'message'
    ? t(
        '{names} won’t answer this: a message reaches at most {perMessage, number} agents, and at most {inAll, number} together with the replies that follow from it.',
        values,
      )
    : t(
        '{names} won’t answer this: a message reaches at most {perMessage, number} agents, and all that your bots send by themselves at most {inAll, number} an hour.',
        values,
      );
}

function budgetText({ budget, used = 0, tokens = 0, group }: Cause<'budget_nearly_used'>): string {
  if (budget === 'asker')
    return t(
      'You’ve used most of the tokens that its owner lets you use in a day. After that it answers you again tomorrow (UTC), or with a key of your own, which you can add in its settings.',
    );
  if (budget === 'agent')
    return used >= tokens
      ? t(
          'It has used {used, number} of the {tokens, number} tokens that you let it use in a month. It answers again when the next month begins (UTC), or when you raise the limit in its settings.',
          { used, tokens },
        )
      : t(
          'It has used {used, number} of the {tokens, number} tokens that you let it use in a month. At the limit it stops answering until the next month begins (UTC). You can raise the limit in its settings.',
          { used, tokens },
        );
  const where = group === undefined ? t('one of its groups') : t('“{title}”', { title: group });
  return used >= tokens
    ? t(
        'It has used {used, number} of the {tokens, number} tokens that you let it use in {where} in a month. It answers there again when the next month begins (UTC), or when you raise the limit in its settings.',
        { used, tokens, where },
      )
    : t(
        'It has used {used, number} of the {tokens, number} tokens that you let it use in {where} in a month. At the limit it stops answering there until the next month begins (UTC). You can raise the limit in its settings.',
        { used, tokens, where },
      );
}
