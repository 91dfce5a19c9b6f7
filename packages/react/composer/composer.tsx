import { type ReactElement, type ReactNode, useState } from 'react';
import { isSendKey } from './keys.ts';
import { TextArea } from './text-area.tsx';
import { useComposer } from './use-composer.ts';

const english = {
  message: 'Message',
  send: 'Send',
  closed: 'Not sent: you’re disconnected. Reload the page, then try again.',
};
export type ComposerLabels = typeof english;

export interface ComposerProps {
  chatId: string;
  channelId?: string | null;
  threadRootId?: string | null;
  /** Called with pasted files; without it they are left to the browser. */
  onFiles?: (files: readonly File[]) => void;
  /** Shown beside the button, for example one for files. */
  children?: ReactNode;
  labels?: Partial<ComposerLabels>;
}

/** A field that grows with its text, and a button. Enter sends, Shift+Enter starts a line, and an input method keeps its keys. */
export function Composer(props: ComposerProps): ReactElement {
  const { chatId, channelId = null, threadRootId = null, onFiles, children } = props;
  const labels = { ...english, ...props.labels };
  const { text, setText, send } = useComposer({ chat_id: chatId, channel_id: channelId, thread_root_id: threadRootId });
  /** The place and the text that were not sent. */
  const [refused, setRefused] = useState('');
  const own = [chatId, channelId, threadRootId, text].join(' ');
  function submit(): void {
    setRefused('');
    try {
      send();
    } catch {
      // The client is closed; the text stays.
      setRefused(own);
    }
  }
  return (
    <form
      className="parley-composer"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <TextArea
        className="parley-composer-text"
        text={text}
        label={labels.message}
        onText={setText}
        onFiles={onFiles}
        onPress={(event) => {
          if (!isSendKey(event)) return false;
          submit();
          return true;
        }}
      />
      {children}
      <button type="submit" className="parley-composer-send" disabled={text.trim() === ''}>
        {labels.send}
      </button>
      {refused === own && <p role="alert">{labels.closed}</p>}
    </form>
  );
}
