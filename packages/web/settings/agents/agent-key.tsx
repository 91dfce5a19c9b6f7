import type { Provider } from '@parley/protocol';
import { useRef, useState } from 'react';
import { useStayInView } from '../../browser/use-stay-in-view.ts';
import { useSession } from '../../session/session.ts';
import { useForm } from '../../calls/use-form.ts';
import { Button } from '../../ui/button.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { FormField } from '../../ui/forms/form-field.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { KeyCheck } from './key-check.tsx';
import { makers } from './makers.ts';
import fields from '../../config/fields-form.module.css';
import styles from '../../config/settings.module.css';
import { rich, t } from '../../words/t.ts';

interface AgentKeyProps {
  provider: Provider;
  isSet: boolean;
  /** The field is open, in view, and has the focus. */
  isWanted: boolean;
  onChange: () => void;
}

/** The API key of an agent. The service returns its last characters once, when it is set. */
export function AgentKey({ provider, isSet, isWanted, onChange }: AgentKeyProps) {
  const { client, agentKeys } = useSession();
  const { name, place, href } = makers[provider];
  const label = t('{name} API key', { name });
  const [isOpen, setIsOpen] = useState(!isSet || isWanted);
  // The button that opened the field disappears: move the focus to the field.
  const [wantsFocus, setWantsFocus] = useState(isWanted);
  const element = useRef<HTMLFormElement>(null);
  useStayInView(element, isWanted);
  const [tail, setTail] = useState<string | null>(null);
  /** How many keys were saved here: each is tried. */
  const [tries, setTries] = useState(0);
  const form = useForm(
    {
      api_key: {
        kind: 'secret',
        label: isSet ? t('New {name} API key', { name }) : label,
        hint: rich('Make one at <link>{place}</link>, unless this service is set up for another provider.', {
          place,
          link: (parts) => (
            <a href={href} target="_blank" rel="noreferrer">
              {parts}
            </a>
          ),
        }),
        problem: (typed) => (typed.trim() === '' ? t('Paste the key.') : null),
      },
    },
    { api_key: '' },
  );

  async function save() {
    const isSaved = await form.send(async () => {
      const { key_tail } = await client.call('setAgentKey', { provider, api_key: form.draft.api_key.trim() });
      setTail(key_tail);
      setTries((before) => before + 1);
    });
    if (!isSaved) return;
    form.put({ api_key: '' });
    setIsOpen(false);
    agentKeys.note();
    onChange();
  }
  function open() {
    setWantsFocus(true);
    setIsOpen(true);
  }
  async function remove() {
    if (!(await form.submit(() => client.call('removeAgentKey', { provider })))) return;
    setTail(null);
    setIsOpen(true);
    agentKeys.note();
    onChange();
  }

  if (!isOpen)
    return (
      <>
        <fieldset className={fields['secret']}>
          <legend>{label}</legend>
          <span className={fields['mask']}>••••••••{(tail ?? '').replace(/^[•*.…]+/, '')}</span>
          <Button size="small" onClick={open}>
            {t('Set a new one')}
          </Button>
          <Button size="small" look="quiet" isBusy={form.isBusy} onClick={() => void remove()}>
            {t('Remove')}
          </Button>
        </fieldset>
        {tail === null ? null : <KeyCheck key={tries} provider={provider} />}
        <Problem text={form.otherError ?? form.errorOf('api_key')} />
      </>
    );
  return (
    <Form ref={element} className={null} onSubmit={save}>
      <div className={styles['inline']}>
        <FormField {...form.field('api_key')} autoFocus={wantsFocus} />
        <Button type="submit" look="primary" isBusy={form.isBusy}>
          {t('Save')}
        </Button>
        {isSet ? (
          <Button look="quiet" onClick={() => setIsOpen(false)}>
            {t('Cancel')}
          </Button>
        ) : null}
      </div>
      <Problem text={form.otherError} />
    </Form>
  );
}
