import type { Provider } from '@parley/protocol';
import { type SubmitEvent, useRef, useState } from 'react';
import { useStayInView } from '../../browser/use-stay-in-view.ts';
import { useSession } from '../../session/session.ts';
import { useSubmit } from '../../calls/use-submit.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/forms/field.tsx';
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
  const form = useRef<HTMLFormElement>(null);
  useStayInView(form, isWanted);
  const [key, setKey] = useState('');
  const [tail, setTail] = useState<string | null>(null);
  /** How many keys were saved here: each is tried. */
  const [tries, setTries] = useState(0);
  const { isBusy, errorOf, errorBut, submit, refuse, clear } = useSubmit();

  async function save(event: SubmitEvent) {
    event.preventDefault();
    if (key.trim() === '') return refuse('api_key', t('Paste the key.'));
    const isSaved = await submit(async () => {
      const { key_tail } = await client.call('setAgentKey', { provider, api_key: key.trim() });
      setTail(key_tail);
      setTries((before) => before + 1);
    });
    if (isSaved) {
      setKey('');
      setIsOpen(false);
      agentKeys.note();
      onChange();
    }
    return undefined;
  }
  function open() {
    setWantsFocus(true);
    setIsOpen(true);
  }
  async function remove() {
    if (!(await submit(() => client.call('removeAgentKey', { provider })))) return;
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
          <Button size="small" look="quiet" isBusy={isBusy} onClick={() => void remove()}>
            {t('Remove')}
          </Button>
        </fieldset>
        {tail === null ? null : <KeyCheck key={tries} provider={provider} />}
        <Problem text={errorBut()} />
      </>
    );
  return (
    <form ref={form} onSubmit={(event) => void save(event)} noValidate>
      <div className={styles['inline']}>
        <Field
          label={isSet ? t('New {name} API key', { name }) : label}
          type="password"
          autoFocus={wantsFocus}
          autoComplete="off"
          spellCheck={false}
          hint={rich('Make one at <link>{place}</link>, unless this service is set up for another provider.', {
            place,
            link: (parts) => (
              <a href={href} target="_blank" rel="noreferrer">
                {parts}
              </a>
            ),
          })}
          value={key}
          error={errorOf('api_key')}
          onChange={({ target }) => {
            setKey(target.value);
            clear();
          }}
        />
        <Button type="submit" look="primary" isBusy={isBusy}>
          {t('Save')}
        </Button>
        {isSet ? (
          <Button look="quiet" onClick={() => setIsOpen(false)}>
            {t('Cancel')}
          </Button>
        ) : null}
      </div>
      <Problem text={errorBut('api_key')} />
    </form>
  );
}
