import type { Chat, StoredMessage, Timeline as StoredTimeline } from '@parley/client/store';
import { type ComponentType, memo, type ReactElement, type ReactNode } from 'react';
import { useChat, useShownMessage } from '../hooks.ts';
import { Message } from '../message/message.tsx';
import { useStore } from '../provider.ts';
import { useStoreCell } from '../use-store-cell.ts';
import { useTrouble } from '../use-trouble.ts';
import { useAnnouncement } from './use-announcement.ts';
import { type TimelineView, useTimelineView } from './use-timeline-view.ts';

const english = {
  messages: 'Messages',
  loading: 'Loading messages',
  failing: 'Couldn’t connect. Trying again …',
  refused: 'You’re signed out. Sign in again.',
  failed: 'Couldn’t load the messages.',
  retry: 'Try again',
  empty: 'No messages yet.',
  unread: 'New messages',
  toEnd: 'Newest messages',
};
export type TimelineLabels = typeof english;

export interface RowMarks {
  /** The row before it; undefined for the first one that is loaded. */
  readonly before: StoredMessage | undefined;
  /** True while the row of `target` is highlighted. */
  readonly isMarked: boolean;
  readonly isOwn: boolean;
}

export interface TimelineProps {
  chatId: string;
  channelId?: string | null;
  threadRootId?: string | null;
  /** A message, or the time of one, to scroll to and highlight for a moment. A Date must stay the same object. */
  target?: string | Date | null;
  /** Called once the target was shown. */
  onTarget?: () => void;
  /** What a row contains; by default a `Message`. It renders again with each piece of a reply that is being written. */
  renderMessage?: ((message: StoredMessage, marks: RowMarks) => ReactNode) | undefined;
  /** What is shown instead of messages. */
  components?: {
    readonly Loading?: ComponentType;
    readonly Failed?: ComponentType<{ retry: () => void }>;
    readonly Empty?: ComponentType;
  };
  labels?: Partial<TimelineLabels>;
}

/**
 * The messages of a timeline, in an element that scrolls and is as high as the place it has. It opens at the first unread
 * message, follows new ones at its end, loads pages, and mounts only the rows in sight. It says why it cannot load.
 */
export function Timeline(props: TimelineProps): ReactElement {
  const { chatId, channelId = null, threadRootId = null, components = {} } = props;
  const labels = { ...english, ...props.labels };
  const key = { chat_id: chatId, channel_id: channelId, thread_root_id: threadRootId };
  const timeline = useStore().timeline(key);
  const { isLoaded, error } = useStoreCell((store) => store.timeline(key));
  const chat = useChat(chatId);
  const me = useStoreCell((store) => store.me);
  const trouble = useTrouble();
  const retry = (): void => void timeline.jumpToNewest();
  const { Loading, Failed } = components;
  // Without a valid token another try fails too.
  if (error && !isLoaded && trouble !== 'refused')
    return (
      <div className="parley-timeline">
        {Failed ? <Failed retry={retry} /> : <Problem text={labels.failed} action={labels.retry} onAction={retry} />}
      </div>
    );
  if (!isLoaded || !chat || !me)
    return (
      <div className="parley-timeline">
        {Loading && !trouble ? <Loading /> : <Note text={labels[trouble ?? 'loading']} />}
      </div>
    );
  const shown = { chat, timeline, components, labels, me: me.username, isRefused: trouble === 'refused' };
  return <Loaded key={JSON.stringify(key)} {...props} {...shown} />;
}

interface LoadedProps extends TimelineProps {
  chat: Chat;
  timeline: StoredTimeline;
  me: string;
  /** True once the service refuses the token: nothing new will arrive. */
  isRefused: boolean;
  components: NonNullable<TimelineProps['components']>;
  labels: TimelineLabels;
}

function Loaded(props: LoadedProps): ReactElement {
  const { chat, timeline, me, components, labels, target = null, onTarget, renderMessage } = props;
  const view = useTimelineView({ chat, timeline, me, target, onTarget });
  const announcement = useAnnouncement(timeline, me, textOf);
  const { ids, isAtEnd } = view;
  const { Failed, Empty } = components;
  return (
    <div className="parley-timeline" style={framed}>
      {props.isRefused && <Note text={labels.refused} />}
      <p style={onlyHeard} role="status">
        {announcement}
      </p>
      <div
        ref={view.scroller}
        className="parley-timeline-scroller"
        style={scrolled}
        role="log"
        aria-label={labels.messages}
        // New messages are announced once they have finished.
        aria-live="off"
        tabIndex={-1}
        onKeyDown={view.onKeyDown}
        onClickCapture={view.onClick}
      >
        {view.hasFailed &&
          !props.isRefused &&
          (Failed ? (
            <Failed retry={view.retry} />
          ) : (
            <Problem text={labels.failed} action={labels.retry} onAction={view.retry} />
          ))}
        {ids.length === 0 && (Empty ? <Empty /> : <p className="parley-timeline-note">{labels.empty}</p>)}
        <Rows {...{ view, me, renderMessage }} unread={labels.unread} />
      </div>
      {ids.length > 0 && !isAtEnd && (
        <button type="button" className="parley-timeline-end" aria-label={labels.toEnd} onClick={view.toEnd}>
          ↓
        </button>
      )}
    </div>
  );
}

/** A note above the scroller takes its height from it. */
const framed = { position: 'relative', display: 'flex', flexDirection: 'column', minHeight: 0 } as const;

/** Messages that do not fill it stand at its bottom. */
const scrolled = {
  display: 'flex',
  flexDirection: 'column',
  flex: '1 1 auto',
  minHeight: 0,
  overflowY: 'auto',
  overflowAnchor: 'none',
} as const;

const onlyHeard = {
  position: 'absolute',
  width: 1,
  height: 1,
  margin: 0,
  overflow: 'hidden',
  clipPath: 'inset(50%)',
} as const;

const textOf = ({ sender, content }: StoredMessage): string => `${sender.display_name}: ${content}`;

interface RowsProps extends Pick<LoadedProps, 'me' | 'renderMessage'> {
  view: TimelineView;
  unread: string;
}

const Rows = ({ view, me, renderMessage, unread }: RowsProps): ReactElement => (
  <div style={{ position: 'relative', flex: 'none', height: view.height, marginTop: 'auto' }}>
    {view.items.map(({ key, index, start }) => (
      <div
        key={key}
        ref={view.measure}
        data-index={index}
        style={{ position: 'absolute', insetInlineStart: 0, top: start, width: '100%' }}
        onFocus={() => view.onFocus(index)}
      >
        {view.ids[index] === view.firstUnread && <p className="parley-timeline-unread">{unread}</p>}
        <Row
          id={view.ids[index] ?? ''}
          before={view.ids[index - 1] ?? ''}
          isMarked={view.ids[index] === view.marked}
          isTabStop={index === view.tabStop}
          {...{ me, renderMessage }}
        />
      </div>
    ))}
  </div>
);

interface RowProps extends Pick<LoadedProps, 'me' | 'renderMessage'> {
  id: string;
  before: string;
  isMarked: boolean;
  isTabStop: boolean;
}

const Row = memo(function Row({ id, before: beforeId, me, isMarked, isTabStop, renderMessage }: RowProps) {
  const message = useShownMessage(id);
  const before = useShownMessage(beforeId);
  if (!message) return null;
  const isOwn = message.sender.username === me;
  return (
    <article
      className="parley-row"
      data-row
      data-marked={isMarked || undefined}
      data-own={isOwn || undefined}
      tabIndex={isTabStop ? 0 : -1}
      aria-label={message.sender.display_name}
    >
      {renderMessage ? renderMessage(message, { before, isMarked, isOwn }) : <Message message={message} />}
    </article>
  );
});

const Note = ({ text }: { text: string }): ReactElement => (
  <p className="parley-timeline-note" role="status">
    {text}
  </p>
);

interface ProblemProps {
  text: string;
  action: string;
  onAction: () => void;
}

const Problem = ({ text, action, onAction }: ProblemProps): ReactElement => (
  <p className="parley-timeline-note" role="alert">
    {text}{' '}
    <button type="button" onClick={onAction}>
      {action}
    </button>
  </p>
);
