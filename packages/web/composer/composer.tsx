// Writing messages. May import: browser to chats (see main.tsx). Within, composing/, commands/ and format/ import none of
// the other folders here, completion/ may import commands/, uploads/ may import composing/, voice/ may import uploads/, and this folder all of them.
import type { Chat } from '@parley/client/store';
import { bodyOf, TextArea } from '@parley/react';
import { lazy, Suspense, useEffect, useId, useMemo, useRef, useState } from 'react';
import { isTouch } from '../browser/touch.ts';
import { useSession } from '../session/session.ts';
import { errorText } from '../words/error-text.ts';
import { BlockedNote, useBlockIn } from './blocked-note.tsx';
import { absentAgents } from './absent-agents.ts';
import { parseCommand } from './commands/slash-commands.ts';
import { useCommands } from './commands/use-commands.ts';
import { chooseOption } from './completion/choose-option.ts';
import { type Option, optionId, useCompletion } from './completion/use-completion.ts';
import { ComposerButtons } from './composer-buttons.tsx';
import { ComposerNote } from './composer-note.tsx';
import styles from './composer.module.css';
import { ComposingBar } from './composing-bar.tsx';
import { type Note, useComposing, useComposings, useSignal } from './composing/composing.ts';
import { newLine } from './format/new-line.ts';
import { useFormat } from './format/use-format.ts';
import { useLoudMention } from './loud-mention.tsx';
import { isLongPaste, lengthNote } from './message-length.ts';
import { PostingNote, useIsReader } from './posting-note.tsx';
import { useOwnRole } from '../chats/chat/use-own-role.ts';
import { withWholeHandles } from './short-names.ts';
import { MAX_FILES, type Upload } from './uploads/uploads.ts';
import { useUploads } from './uploads/use-uploads.ts';
import { useField } from './use-field.ts';
import { useKeys } from './use-keys.ts';
import { useParticipants } from './use-participants.ts';
import { useSend } from './use-send.ts';
import { useStop } from './use-stop.ts';
import { useText } from './use-text.ts';
import { canRecord } from './voice/recorder.ts';
import { useVoice } from './voice/use-voice.ts';
import { VoiceBar } from './voice/voice-bar.tsx';
import { usePreview } from './who/use-preview.ts';
import { WhoLine } from './who/who-line.tsx';
import { t } from '../words/t.ts';

const CompletionList = lazy(async () => import('./completion/completion-list.tsx'));
const FormatBar = lazy(async () => import('./format/format-bar.tsx'));
const UploadList = lazy(async () => import('./uploads/upload-list.tsx'));

interface ComposerProps {
  chat: Chat;
  channelId: string | null;
  threadRootId: string | null;
}

/** The composer, or a note in its place if the partner is blocked or only managers write. */
export function Composer(props: ComposerProps) {
  const blocked = useBlockIn(props.chat);
  const isReader = useIsReader(props.chat);
  if (isReader) return <PostingNote />;
  return blocked === null ? <OpenComposer {...props} /> : <BlockedNote chat={props.chat} blocked={blocked} />;
}

/** Writes messages and replies, edits messages, and runs commands. */
function OpenComposer({ chat, channelId, threadRootId }: ComposerProps) {
  const { store, may } = useSession();
  const listId = useId();
  const place = useMemo(
    () => ({ chat_id: chat.id, channel_id: channelId, thread_root_id: threadRootId }),
    [chat.id, channelId, threadRootId],
  );
  const timeline = store.timeline(place);
  const composings = useComposings();
  const composing = useComposing(place);
  const isEditing = composing.editing !== null;
  const composerText = useText(place, composing);
  const { text, clear } = composerText;
  const uploads = useUploads(place);
  const [note, setNote] = useState<Note | null>(null);
  const { area, caret, onCaret, focus, write, edit, insert } = useField(composerText, place, composing);
  const commands = useCommands(chat);
  const participants = useParticipants(chat);
  const { mayHaveAgents, shortNames } = participants;
  const completion = useCompletion({ chat, participants, commands, text, caret, isOff: isEditing });
  const body = useMemo(() => withWholeHandles(bodyOf(text), shortNames), [text, shortNames]);
  const length = lengthNote(body.text);
  const hasContent = text.trim() !== '' || (!isEditing && uploads.all.length > 0);
  const maySend = hasContent && length?.isOver !== true;

  const isMessage = maySend && !isEditing && parseCommand(text, commands) === null;
  const preview = usePreview({
    place,
    replyTo: composing.replyTo,
    text: mayHaveAgents && isMessage ? body.text : null,
  });

  function addFiles(files: readonly File[]) {
    const count = uploads.add(files);
    const note = t(
      'A message can hold {most, number} files: {count, plural, one {# was left out} other {# were left out}}.',
      { most: MAX_FILES, count },
    );
    setNote(count > 0 ? { text: note, isError: true } : null);
  }
  useSignal('files', place, addFiles);
  useSignal('note', place, setNote);
  useEffect(() => () => store.setTyping(place, false), [store, place]);

  const { send, sendPoll, ask, sendLater, repeat, command, submit, sendWhenUploaded } = useSend({
    chat,
    place,
    timeline,
    composing,
    commands,
    text,
    body: body.text,
    maySend,
    uploads,
    clear,
    onNote: setNote,
  });
  const role = useOwnRole(chat, false);
  const loud = useLoudMention({ chat, role, text: isMessage ? body.text : null }, submit);
  const fail = (error: unknown) => setNote({ text: errorText(error), isError: true });
  const { streaming, stop } = useStop(chat, timeline, fail);
  const voice = useVoice({
    onRecorded(recording) {
      uploads.attach(recording);
      sendWhenUploaded();
    },
    onError: (problem) => setNote({ text: problem, isError: true }),
  });
  const isVoiceOpen = voice.state !== 'idle';
  const wasVoiceOpen = useRef(false);
  useEffect(() => {
    if (wasVoiceOpen.current && !isVoiceOpen && !isTouch()) focus();
    wasVoiceOpen.current = isVoiceOpen;
  }, [isVoiceOpen, focus]);

  function attachLongText(pasted: string): boolean {
    if (isEditing || uploads.all.length >= MAX_FILES || !isLongPaste(pasted)) return false;
    uploads.attach({ file: new File([pasted], t('Pasted text.txt'), { type: 'text/plain' }), isPasted: true });
    setNote({ text: t('The long text is attached as a file. You can paste it as text instead.'), isError: false });
    return true;
  }
  async function pasteAsText({ key, file }: Upload): Promise<void> {
    uploads.remove(key);
    setNote(null);
    insert(await file.text());
  }

  function change(next: string, at: number) {
    composerText.type(next);
    onCaret(at);
    setNote(null);
    if (!isEditing && !next.startsWith('/')) store.setTyping(place, next.trim() !== '');
  }

  function choose(option: Option) {
    focus();
    chooseOption(option, {
      text,
      completing: completion.completing,
      onSend: send,
      onCommand: (call) => void command(call),
      onWrite: write,
    });
  }

  const formatting = useFormat({ area, edit, onPastedText: attachLongText, onError: fail });
  const press = useKeys({
    place,
    timeline,
    composing,
    completion,
    text,
    onChoose: choose,
    onSubmit: loud.submit,
    onNewLine: () => edit(newLine),
  });
  return (
    <div className={styles['place']} data-composer={threadRootId === null ? 'timeline' : 'thread'}>
      <div className={styles['column']}>
        {completion.completing || completion.filling ? (
          <Suspense fallback={null}>
            <CompletionList id={listId} completion={completion} onChoose={choose} />
          </Suspense>
        ) : null}
        {mayHaveAgents ? (
          <WhoLine
            place={place}
            preview={preview}
            absent={absentAgents(preview.text, chat)}
            replaced={body.replaced
              .map(({ short, username }) => t('@{short} is sent as @{username}.', { short, username }))
              .join(' ')}
            onDismissed={focus}
            onError={fail}
          />
        ) : null}
        <div className={styles['box']}>
          <ComposingBar composing={composing} onCancel={() => composings.set(place, {})} />
          {isEditing || uploads.all.length === 0 ? null : (
            <Suspense fallback={null}>
              <UploadList uploads={uploads} onPasteAsText={(upload) => void pasteAsText(upload).catch(fail)} />
            </Suspense>
          )}
          {formatting.isOpen && !isVoiceOpen ? (
            <Suspense fallback={<div className={styles['bar']} />}>
              <FormatBar className={styles['bar']} onFormat={formatting.format} onLeave={focus} />
            </Suspense>
          ) : null}
          {isVoiceOpen ? <VoiceBar voice={voice} /> : null}
          <div className={styles['line']} hidden={isVoiceOpen}>
            <ComposerButtons
              chat={chat}
              isEditing={isEditing}
              maySend={maySend}
              streaming={hasContent || isEditing ? 0 : streaming}
              onFiles={addFiles}
              onPoll={sendPoll}
              onAsk={may('askDecision') ? ask : null}
              onEmoji={insert}
              hasBar={formatting.isOpen}
              onBar={formatting.toggleBar}
              onSend={loud.submit}
              onSendLater={
                may('scheduleMessage') && isMessage && uploads.all.every(({ state }) => state === 'done')
                  ? sendLater
                  : null
              }
              onRepeat={may('createSchedule') && isMessage && uploads.all.length === 0 ? repeat : null}
              onStop={stop}
              onVoice={hasContent || isEditing || !canRecord() ? null : voice.start}
            >
              <TextArea
                ref={area}
                className={styles['text']}
                text={text}
                label={threadRootId === null ? t('Message') : t('Reply in thread')}
                onText={change}
                onCaret={onCaret}
                onPress={(event) => press(event) || formatting.press(event)}
                onFiles={addFiles}
                onPastedHtml={formatting.paste}
                onPastedText={attachLongText}
                listId={completion.options.length > 0 ? listId : undefined}
                activeId={completion.active >= 0 ? optionId(listId, completion.active) : undefined}
              />
            </ComposerButtons>
          </div>
        </div>
        {loud.dialog}
        <ComposerNote note={length ? { text: length.note, isError: length.isOver, isLasting: true } : note} />
      </div>
    </div>
  );
}
