import { actionIn, type Attributes, type Block, type Inline } from '@parley/markdown';
import { type SubmitEvent, useMemo } from 'react';
import { ActionButton } from './action-button.tsx';
import { Blocks } from '../views/block-view.tsx';
import { fieldsOf } from './form-fields.tsx';
import { FormActionContext } from './form-action.ts';
import { useShownMessage } from '../views/shown-message.ts';
import { attribute, recordsOf } from './tag-values.ts';
import { FieldView } from './form-fields.tsx';
import styles from './tags.module.css';
import { useAction } from './use-action.ts';
import { t } from '../../words/t.ts';

/** A form whose button sends its fields as `form_submit:<id>`. Without an id it cannot be sent. */
export function FormView({ attributes, blocks }: { attributes: Attributes; blocks: readonly Block[] }) {
  const { canAct } = useShownMessage();
  const { state, error, act } = useAction();
  const title = attribute(attributes, 'title', 'primary', 'label');
  const text = attribute(attributes, 'description', 'body', 'text');
  const id = actionIn(attributes, 'id');
  const canSend = canAct && id !== '';
  const context = useMemo(() => ({ state, canSend }), [state, canSend]);
  const hasButton = blocks.some(holdsSubmit);
  const label = attribute(attributes, 'submit', 'submit_label') || t('Send');

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (canSend && state !== 'busy') void act(`form_submit:${id}`, fieldsOf(event.currentTarget));
  }
  return (
    <FormActionContext value={context}>
      <form className={styles['card']} onSubmit={submit} aria-label={title === '' ? t('Form') : title}>
        {title === '' ? null : <p className={styles['title']}>{title}</p>}
        {text === '' ? null : <p className={styles['text']}>{text}</p>}
        <fieldset className={styles['fields']} disabled={!canAct || state === 'busy'}>
          {recordsOf(attributes, 'fields').map((field, at) => (
            <FieldView
              key={at}
              tag={{ kind: 'tag', name: attribute(field, 'type') || 'input', attributes: field, blocks: [] }}
            />
          ))}
          <Blocks blocks={blocks} />
          {hasButton ? null : <ActionButton attributes={{ label }} isSubmit />}
        </fieldset>
        {error === null ? null : (
          <p className="ui-danger ui-aside" role="alert">
            {error}
          </p>
        )}
      </form>
    </FormActionContext>
  );
}

function holdsSubmit(node: Block | Inline): boolean {
  if (node.kind === 'tag') {
    const { attributes, name, blocks } = node;
    const sends = actionIn(attributes, 'action') === 'submit' || attribute(attributes, 'type') === 'submit';
    return name === 'submit' || (name === 'button' && sends) || blocks.some(holdsSubmit);
  }
  return node.kind === 'paragraph' && node.children.some(holdsSubmit);
}
