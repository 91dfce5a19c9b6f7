import { type ComponentProps, lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { isTouch } from '../../browser/touch.ts';
import { useComposings } from '../../composer/composing/composing.ts';
import { Selection, SelectionContext, useSelectedRows } from '../selection/selection.ts';
import { TimelineView } from '../timeline/timeline-view.tsx';

const SelectionBar = lazy(async () => import('../selection/selection-bar.tsx'));

interface SelectableTimelineProps extends ComponentProps<typeof TimelineView> {
  /** The composer. */
  children: ReactNode;
}

/** A timeline with its composer. While messages are selected, the bar of the selection hides the composer. */
export function SelectableTimeline({ children, ...timeline }: SelectableTimelineProps) {
  const [selection] = useState(() => new Selection());
  return (
    <SelectionContext value={selection}>
      <TimelineView {...timeline} />
      <Below selection={selection} {...timeline}>
        {children}
      </Below>
    </SelectionContext>
  );
}

interface BelowProps extends Pick<SelectableTimelineProps, 'chat' | 'timeline' | 'children'> {
  selection: Selection;
}

function Below({ chat, timeline, selection, children }: BelowProps) {
  const rows = useSelectedRows();
  const isSelecting = rows !== null;
  const composings = useComposings();
  // After a selection the composer gets the focus.
  const wasSelecting = useRef(false);
  useEffect(() => {
    if (wasSelecting.current && !isSelecting && !isTouch()) composings.signal('focus', timeline.key, null);
    wasSelecting.current = isSelecting;
  }, [composings, timeline, isSelecting]);
  return (
    <>
      {/* Mounted all the time: it holds files that are being uploaded. */}
      <div hidden={isSelecting}>{children}</div>
      {rows ? (
        <Suspense fallback={null}>
          <SelectionBar chat={chat} timeline={timeline} selection={selection} rows={rows} />
        </Suspense>
      ) : null}
    </>
  );
}
