import type { PollInput } from '@parley/protocol';
import type { Chat } from '@parley/client/store';
import {
  ArrowUp,
  CaseSensitive,
  ChartBar,
  Check,
  Clock,
  Hand,
  Mic,
  Paperclip,
  Plus,
  Smile,
  Square,
} from 'lucide-react';
import { lazy, type ReactNode, Suspense, useRef, useState } from 'react';
import { classNames } from '../browser/class-names.ts';
import { IconButton } from '../ui/button.tsx';
import type { Repeated } from '../chats/later/repeat-dialog.tsx';
import type { AskedDecision } from './decision/ask-form.ts';
import { Menu } from '../ui/overlays/menu.tsx';
import styles from './composer.module.css';
import { t } from '../words/t.ts';

const WhenDialog = lazy(async () => import('../chats/later/when-dialog.tsx'));
const RepeatDialog = lazy(async () => import('../chats/later/repeat-dialog.tsx'));
const PollDialog = lazy(async () => import('./poll/poll-dialog.tsx'));
const AskDialog = lazy(async () => import('./decision/ask-dialog.tsx'));
const EmojiPicker = lazy(async () => import('../emoji/emoji-picker.tsx'));

interface ComposerButtonsProps {
  chat: Chat;
  isEditing: boolean;
  maySend: boolean;
  /** Number of streaming replies to stop; 0 while there is a text to send. */
  streaming: number;
  onFiles: (files: readonly File[]) => void;
  /** Returns whether the poll is on its way. */
  onPoll: (poll: PollInput) => boolean;
  /** Asks for a decision; rejects if the service refuses. Null if the session may not. */
  onAsk: ((asked: AskedDecision) => Promise<void>) | null;
  onEmoji: (emoji: string) => void;
  /** The bar of formats is open. */
  hasBar: boolean;
  onBar: () => void;
  onSend: () => void;
  /** Schedules the message, once for each name of an attempt; null if there is none to schedule. */
  onSendLater: ((at: Date, attempt: string) => Promise<void>) | null;
  /** Sends the text again and again; null if the session may not, or the message has files. */
  onRepeat: ((repeated: Repeated, attempt: string) => Promise<void>) | null;
  onStop: () => void;
  /** Begins a voice message; null if there is something else to send, or the browser cannot record. */
  onVoice: (() => void) | null;
  /** The text field between the buttons. */
  children: ReactNode;
}

/** The buttons around the text: files and polls before it, emoji, Send and Send later after it. */
export function ComposerButtons({ chat, isEditing, maySend, streaming, children, ...on }: ComposerButtonsProps) {
  const files = useRef<HTMLInputElement>(null);
  const emoji = useRef<HTMLButtonElement>(null);
  const [isPicking, setIsPicking] = useState(false);
  const [asking, setAsking] = useState<'poll' | 'decision' | null>(null);
  const [scheduling, setScheduling] = useState<'once' | 'repeated' | null>(null);
  // The message can disappear under the dialog, for example sent on another device: the next one does not open it.
  if (scheduling !== null && !on.onSendLater) setScheduling(null);
  return (
    <>
      {isEditing ? null : (
        <>
          <Menu
            trigger={<IconButton label={t('Add')} icon={<Plus />} />}
            align="start"
            side="top"
            items={[
              { label: t('Photos and files'), icon: <Paperclip />, onSelect: () => files.current?.click() },
              { label: t('Poll'), icon: <ChartBar />, onSelect: () => setAsking('poll') },
              ...(on.onAsk
                ? [{ label: t('Ask for a decision'), icon: <Hand />, onSelect: () => setAsking('decision') }]
                : []),
            ]}
          />
          <input
            ref={files}
            type="file"
            multiple
            hidden
            onChange={({ currentTarget }) => {
              on.onFiles([...(currentTarget.files ?? [])]);
              // Reset, so that the same file can be chosen again.
              currentTarget.value = '';
            }}
          />
        </>
      )}
      {children}
      <IconButton
        label={t('Formatting')}
        icon={<CaseSensitive />}
        aria-expanded={on.hasBar}
        isPressed={on.hasBar}
        // The keyboard of a phone stays.
        onPointerDown={(event) => event.preventDefault()}
        onClick={on.onBar}
      />
      <span className={styles['emoji']}>
        <IconButton
          ref={emoji}
          label={t('Emoji')}
          icon={<Smile />}
          aria-haspopup="dialog"
          aria-expanded={isPicking}
          onClick={() => setIsPicking(!isPicking)}
        />
      </span>
      {on.onSendLater ? (
        <IconButton
          label={t('Send later')}
          icon={<Clock />}
          aria-haspopup="dialog"
          onClick={() => setScheduling('once')}
        />
      ) : null}
      {streaming > 0 ? (
        <IconButton
          className={styles['stop']}
          label={t('{count, plural, one {Stop the reply} other {Stop # replies}}', { count: streaming })}
          icon={<Square fill="currentcolor" />}
          onClick={on.onStop}
        />
      ) : on.onVoice ? (
        <IconButton label={t('Record a voice message')} icon={<Mic />} onClick={on.onVoice} />
      ) : (
        <IconButton
          className={classNames(styles['send'], 'ui-filled')}
          label={isEditing ? t('Save') : t('Send')}
          icon={isEditing ? <Check /> : <ArrowUp />}
          disabled={!maySend}
          // The keyboard of a phone stays.
          onPointerDown={(event) => event.preventDefault()}
          onClick={on.onSend}
        />
      )}
      <Suspense fallback={null}>
        {asking === 'poll' ? <PollDialog onSend={on.onPoll} onClose={() => setAsking(null)} /> : null}
        {asking === 'decision' && on.onAsk ? (
          <AskDialog chat={chat} onSend={on.onAsk} onClose={() => setAsking(null)} />
        ) : null}
        {scheduling === 'once' && on.onSendLater ? (
          <WhenDialog
            title={t('Send later')}
            action={t('Schedule')}
            onChoose={on.onSendLater}
            onRepeat={on.onRepeat && (() => setScheduling('repeated'))}
            onClose={() => setScheduling(null)}
          />
        ) : null}
        {scheduling === 'repeated' && on.onRepeat ? (
          <RepeatDialog chat={chat} onChoose={on.onRepeat} onClose={() => setScheduling(null)} />
        ) : null}
        {isPicking ? <EmojiPicker anchor={emoji} onChoose={on.onEmoji} onClose={() => setIsPicking(false)} /> : null}
      </Suspense>
    </>
  );
}
