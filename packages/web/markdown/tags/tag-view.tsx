// Renders the components that agents write as tags. May import: markdown/views and the rooms below.
import type { Tag } from '@parley/markdown';
import { Component, lazy, memo, type ReactNode, Suspense } from 'react';
import { t } from '../../words/t.ts';

/** Few messages have a tag: the script of the components loads with the first. */
const TagComponent = lazy(async () => import('./tag-component.tsx'));

/** Renders a registered tag. */
export const TagView = memo(function TagView({ tag }: { tag: Tag }) {
  return (
    <Guard>
      <Suspense fallback={null}>
        <TagComponent tag={tag} />
      </Suspense>
    </Guard>
  );
});

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
