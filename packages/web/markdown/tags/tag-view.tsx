// Renders the components that agents write as tags. May import: markdown/views and the rooms below.
import type { Tag } from '@parley/markdown';
import { Component, memo, type ReactNode } from 'react';
import { ActionButton } from './action-button.tsx';
import { Blocks } from '../views/block-view.tsx';
import { Card } from './card.tsx';
import { NewsView } from './news-view.tsx';
import { PositionsView } from './positions-view.tsx';
import { TickerView } from './ticker-view.tsx';
import { FormView } from './form-view.tsx';
import { FieldView } from './form-fields.tsx';
import styles from './tags.module.css';
import { t } from '../../words/t.ts';

/** Renders a registered tag. */
export const TagView = memo(function TagView({ tag }: { tag: Tag }) {
  return (
    <Guard>
      <View tag={tag} />
    </Guard>
  );
});

function View({ tag }: { tag: Tag }) {
  const { name, attributes, blocks } = tag;
  switch (name) {
    case 'card':
      return <Card attributes={attributes}>{blocks.length > 0 ? <Blocks blocks={blocks} /> : null}</Card>;
    case 'ticker':
      return <TickerView data={attributes} />;
    case 'news':
      return <NewsView data={attributes} />;
    case 'positions':
      return <PositionsView data={attributes} />;
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

/** An error boundary: a tag that fails to render must not break the message. */
class Guard extends Component<{ children: ReactNode }, { isBroken: boolean }> {
  override state = { isBroken: false };

  static getDerivedStateFromError() {
    return { isBroken: true };
  }

  override render() {
    return this.state.isBroken ? <p className="ui-absent">{t('This part can’t be shown.')}</p> : this.props.children;
  }
}
