import { actionIn, type Attributes, linkAddress } from '@parley/markdown';
import { Check } from 'lucide-react';
import { use } from 'react';
import { Button } from '../../ui/button.tsx';
import { CardLink } from './card.tsx';
import { FormActionContext } from './form-action.ts';
import { useShownMessage } from '../views/shown-message.ts';
import { attribute } from './tag-values.ts';
import styles from './tags.module.css';
import { type ActionState, useAction } from './use-action.ts';
import { t } from '../../words/t.ts';

type Look = 'primary' | 'plain' | 'danger' | 'quiet';

const looks: Readonly<Record<string, Look>> = {
  primary: 'primary',
  danger: 'danger',
  destructive: 'danger',
  quiet: 'quiet',
  link: 'quiet',
};

/** A button that sends its action to the agent; in a form, `submit` sends the form. */
export function ActionButton({ attributes, isSubmit = false }: { attributes: Attributes; isSubmit?: boolean }) {
  const { canAct } = useShownMessage();
  const form = use(FormActionContext);
  const { state, error, act } = useAction();
  const action = actionIn(attributes, 'action');
  const label =
    attribute(attributes, 'label', 'text', 'title', 'primary') || (isSubmit ? t('Send') : action || t('Button'));
  const look = looks[attribute(attributes, 'style', 'variant')] ?? (isSubmit ? 'primary' : 'plain');
  const address = attribute(attributes, 'url', 'href');
  if (address !== '' && action === '')
    return linkAddress(address) === undefined ? `${label} ${address}` : <CardLink address={address} />;
  const sends = form !== null && (isSubmit || action === 'submit' || attribute(attributes, 'type') === 'submit');
  return (
    <span className={styles['action']}>
      {sends ? (
        <span className={styles['audience']}>
          {t('Everyone in this conversation will see what you fill in. Don’t enter passwords.')}
        </span>
      ) : null}
      <Button
        type={sends ? 'submit' : 'button'}
        look={look}
        size="small"
        disabled={!canAct || (sends ? !form.canSend : action === '')}
        title={canAct ? undefined : t('This works once the agent’s message is finished')}
        isBusy={sends ? form.state === 'busy' : state === 'busy'}
        onClick={sends ? undefined : () => void act(action)}
      >
        <StateMark state={sends ? form.state : state} look={look} />
        {label}
      </Button>
      {error === null ? null : (
        <span className="ui-danger ui-aside" role="alert">
          {error}
        </span>
      )}
    </span>
  );
}

/** On a button that is filled with a colour the mark has the colour of its label: its own may be that of the button. */
const StateMark = ({ state, look }: { state: ActionState; look: Look }) =>
  state === 'done' ? (
    <Check className={look === 'plain' || look === 'quiet' ? 'ui-accent' : undefined} aria-label={t('Done')} />
  ) : null;
