// Writing messages. May import: browser to chats (see main.tsx). Within, composing/ and commands/ import none of the
// other folders here, completion/ may import commands/, uploads/ may import composing/, and this folder all of them.
import type { Chat } from '@parley/client/store';
import { useCallback, useEffect, useId, useMemo, useRef, useState } from 'react';
import { errorText } from '../words/error-text.ts';
import { useSession } from '../session/session.ts';
import { BlockedNote, useBlockIn } from './blocked-note.tsx';
import { isManager } from '../chats/chat/roles.ts';
import styles from './composer.module.css';
import { ComposerButtons } from './composer-buttons.tsx';
import { withMention } from './completion/completing.ts';
import { CompletionList, optionId } from './completion/completion-list.tsx';
import { ComposingBar } from './composing-bar.tsx';
import { type Note, useComposing, useComposings, useSignal } from './composing/composing.ts';
import { isTouch } from '../browser/touch.ts';
import { keyMeaning } from './keys.ts';
import { lengthNote } from './message-length.ts';
import { commandsFor } from './commands/slash-commands.ts';
import { TextArea } from './text-area.tsx';
import { UploadList } from './uploads/upload-list.tsx';
import { hasFailed, isUploading } from './uploads/uploads.ts';
import { type Option, useCompletion } from './completion/use-completion.ts';
import { useStreaming } from './composing/use-streaming.ts';
import { useSend } from './use-send.ts';
import { useText } from './use-text.ts';
import { useUploads } from './uploads/use-uploads.ts';

interface ComposerProps {
  chat: Chat;
  channelId: string | null;
  threadRootId: string | null;
}

/** The composer, or a note in its place if the partner is blocked. */
export function Composer(props: ComposerProps) {
  const blocked = useBlockIn(props.chat);
  return blocked === null ? <OpenComposer {...props} /> : <BlockedNote chat={props.chat} blocked={blocked} />;
}

/** Writes messages and replies, edits messages, and runs commands. */
function OpenComposer({ chat, channelId, threadRootId }: ComposerProps) {
  const { client, store, username } = useSession();
  const listId = useId();
  const place = useMemo(
    () => ({ chat_id: chat.id, channel_id: channelId, thread_root_id: threadRootId }),
    [chat.id, channelId, threadRootId],
  );
  const timeline = store.timeline(place);
  const composings = useComposings();
  const composing = useComposing(place);
  const { replyTo, editing } = composing;
  const { text, type, clear, hasDraft } = useText(place, composing);
  const uploads = useUploads();
  const streaming = useStreaming(timeline);
  const area = useRef<HTMLTextAreaElement>(null);
  const [caret, setCaret] = useState(text.length);
  const [note, setNote] = useState<Note | null>(null);
  const commands = useMemo(
    () =>
      commandsFor({
        isGroup: chat.kind === 'group',
        isManager: isManager(chat, username),
        isMuted: chat.is_muted,
        hasAgents: chat.participants.some(({ kind }) => kind === 'agent'),
      }),
    [chat, username],
  );
  const completion = useCompletion({ chat, commands, text, caret, isOff: editing !== null });
  const length = lengthNote(text);
  const hasContent = text.trim() !== '' || (editing === null && uploads.all.length > 0);
  const maySend =
    hasContent && !length?.isOver && (editing !== null || !(isUploading(uploads.all) || hasFailed(uploads.all)));

  useSignal('files', place, uploads.add);
  useSignal('note', place, setNote);
  const focus = useCallback(() => area.current?.focus(), []);
  useSignal('focus', place, focus);
  useEffect(() => {
    // On touch screens the keyboard would cover the messages: focus only for a reply or an edit.
    if ((replyTo ?? editing) !== null || !isTouch()) focus();
  }, [replyTo, editing, focus]);
  useEffect(() => () => store.setTyping(place, false), [store, place]);

  /** Sets the text and the caret. */
  function write(next: string, at = next.length) {
    type(next);
    setCaret(at);
    requestAnimationFrame(() => area.current?.setSelectionRange(at, at));
  }

  function change(next: string, at: number) {
    type(next);
    setCaret(at);
    setNote(null);
    if (editing === null && !next.startsWith('/')) store.setTyping(place, next.trim() !== '');
  }

  function insert(piece: string) {
    const { selectionStart = text.length, selectionEnd = text.length } = area.current ?? {};
    write(text.slice(0, selectionStart) + piece + text.slice(selectionEnd), selectionStart + piece.length);
    focus();
  }

  const { send, command, submit } = useSend({
    chat,
    place,
    timeline,
    composing,
    commands,
    text,
    hasDraft,
    maySend,
    uploads,
    clear,
    onNote: setNote,
  });
  const fail = (error: unknown) => setNote({ text: errorText(error), isError: true });
  const stop = () => {
    for (const message_id of streaming) client.call('stopRun', { chat_id: chat.id, message_id }).catch(fail);
  };

  function choose(option: Option) {
    focus();
    const { completing } = completion;
    if (option.kind === 'inline') return send(option.text);
    if (option.kind === 'command') {
      const { name, argument } = option.command;
      return argument === undefined ? void command({ command: option.command, argument: '' }) : write(`/${name} `);
    }
    if (completing?.kind !== 'mention') return undefined;
    const done = withMention(text, completing, option.person.username);
    return write(done.text, done.caret);
  }

  function editLast() {
    const own = timeline.get().ids.findLast((id) => {
      const message = store.message(id).get();
      return message?.sender.username === username && !message.outbox && !message.service;
    });
    const message = own === undefined ? undefined : store.message(own).get();
    if (message) composings.set(place, { editing: message.id });
    return message !== undefined;
  }

  /** Returns whether the composer handled the key. */
  function press(event: Parameters<typeof keyMeaning>[0]): boolean {
    const { options, active } = completion;
    const meaning = keyMeaning(event, { isListOpen: options.length > 0, hasActive: active >= 0, isEmpty: text === '' });
    switch (meaning) {
      case 'next':
      case 'previous':
        completion.activate((active + (meaning === 'next' ? 1 : -1) + options.length) % options.length);
        return true;
      case 'choose': {
        const option = options[Math.max(0, active)];
        if (option) choose(option);
        return true;
      }
      case 'close':
        completion.close();
        return true;
      case 'cancel':
        if ((replyTo ?? editing) === null) return false;
        composings.set(place, {});
        return true;
      case 'edit-last':
        return editing === null && editLast();
      case 'send':
        submit();
        return true;
      case null:
        return false;
      default:
        return meaning satisfies never;
    }
  }

  const told = length?.note ?? note?.text;
  const isError = length ? length.isOver : note?.isError;
  return (
    <div className={styles['place']} data-composer={threadRootId === null ? 'timeline' : 'thread'}>
      <div className={styles['column']}>
        <CompletionList id={listId} completion={completion} onChoose={choose} />
        <div className={styles['box']}>
          <ComposingBar composing={composing} onCancel={() => composings.set(place, {})} />
          {editing === null ? <UploadList uploads={uploads} /> : null}
          <div className={styles['line']}>
            <ComposerButtons
              isEditing={editing !== null}
              maySend={maySend || (hasContent && editing === null && uploads.all.length > 0 && !length?.isOver)}
              streaming={hasContent || editing !== null ? 0 : streaming.length}
              onFiles={uploads.add}
              onEmoji={insert}
              onSend={submit}
              onStop={stop}
            >
              <TextArea
                ref={area}
                text={text}
                label={threadRootId === null ? 'Message' : 'Reply in thread'}
                onText={change}
                onCaret={setCaret}
                onPress={press}
                onFiles={uploads.add}
                listId={completion.options.length > 0 ? listId : undefined}
                activeId={completion.active >= 0 ? optionId(listId, completion.active) : undefined}
              />
            </ComposerButtons>
          </div>
        </div>
        <p className={isError ? styles['error'] : styles['note']} role={isError ? 'alert' : 'status'}>
          {told}
        </p>
      </div>
    </div>
  );
}
