import type { Tag } from '@parley/markdown';
import { ActionButton } from './action-button.tsx';
import { Blocks } from '../views/block-view.tsx';
import { Card } from './card.tsx';
import DataView from './data-view.tsx';
import { FormView } from './form-view.tsx';
import { FieldView } from './form-fields.tsx';
import styles from './tags.module.css';

/** A registered tag as its component. */
export default function TagComponent({ tag }: { tag: Tag }) {
  const { name, attributes, blocks } = tag;
  switch (name) {
    case 'card':
      return <Card attributes={attributes}>{blocks.length > 0 ? <Blocks blocks={blocks} /> : null}</Card>;
    case 'ticker':
    case 'news':
    case 'positions':
      return <DataView kind={name} data={attributes} />;
    case 'button':
    case 'submit':
      return <ActionButton attributes={attributes} isSubmit={name === 'submit'} />;
    case 'form':
      return <FormView attributes={attributes} blocks={blocks} />;
    case 'columns':
    case 'row':
    case 'stack':
    case 'column':
      return (
        <div className={styles[name]}>
          <Blocks blocks={blocks} />
        </div>
      );
    default:
      return <FieldView tag={tag} />;
  }
}
