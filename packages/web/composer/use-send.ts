import type { SendParams } from '@parley/client';
import type { Chat, Timeline } from '@parley/client/store';
import type { PollInput } from '@parley/protocol';
import { useEffect, useRef } from 'react';
import { errorText } from '../words/error-text.ts';
import type { Repeated } from '../chats/later/repeat-dialog.tsx';
import { useSession } from '../session/session.ts';
import { absentAgentsNote } from './absent-agents.ts';
import { type Composing, type Note, type Place, useComposings } from './composing/composing.ts';
import type { AskedDecision } from './decision/ask-form.ts';
import { type Command, type CommandCall, parseCommand } from './commands/slash-commands.ts';
import { attachmentsOf, hasFailed, isUploading, type Upload } from './uploads/uploads.ts';
import type { Uploads } from './uploads/use-uploads.ts';
import { t } from '../words/t.ts';
import { untilTime } from '../words/times.ts';

interface SendInput {
  chat: Chat;
  place: Place;
  timeline: Timeline;
  composing: Composing;
  commands: readonly Command[];
  text: string;
  /** The text as it is sent. */
  body: string;
  maySend: boolean;
  uploads: Uploads;
  clear: () => void;
  onNote: (note: Note | null) => void;
}

interface Send {
  readonly send: (body: string) => void;
  /** Sends a poll, and leaves the text as it is. Returns whether the poll is on its way. */
  readonly sendPoll: (poll: PollInput) => boolean;
  /** Asks for a decision, and leaves the text as it is; rejects if the service refuses. */
  readonly ask: (asked: AskedDecision) => Promise<void>;
  /** Schedules the message, once for each name of an attempt; rejects if the service refuses. */
  readonly sendLater: (at: Date, attempt: string) => Promise<void>;
  /** Sends the text again and again, once for each name of an attempt; rejects if the service refuses. */
  readonly repeat: (repeated: Repeated, attempt: string) => Promise<void>;
  readonly command: (call: CommandCall) => Promise<void>;
  /** Sends the text, saves the edit, or runs the command. */
  readonly submit: () => void;
  /** Sends the message as soon as the files that were just attached have uploaded. */
  readonly sendWhenUploaded: () => void;
}

/** Handles Send for messages, edits and commands. */
export function useSend(input: SendInput): Send {
  const session = useSession();
  const composings = useComposings();
  const { client, store } = session;
  const { chat, place, timeline, composing, commands, text, body, maySend, uploads, clear, onNote } = input;
  const { replyTo, editing } = composing;
  const { waiting, whenLeft } = uploads;
  useEffect(() => {
    if (waiting.current === null) return;
    if (waiting.current !== text || editing !== null) waiting.current = null;
    else if (!isUploading(uploads.all)) submit();
  });
  const left = useRef(sendLeft);
  useEffect(() => {
    left.current = sendLeft;
  });
  useEffect(() => {
    whenLeft(null);
    return () => whenLeft((all) => left.current(all));
  }, [whenLeft]);

  /** Where a message goes, and what it replies to. */
  const target = () => ({
    ...place,
    channel_id: place.channel_id ?? undefined,
    thread_root_id: place.thread_root_id ?? undefined,
    ...(replyTo !== null && { reply_to_message_id: replyTo }),
  });

  const withFiles = (content: string) => ({
    text: content,
    ...(uploads.all.length > 0 && { attachments: attachmentsOf(uploads.all) }),
  });

  /** Returns whether the message is on its way. */
  function post(message: Pick<SendParams, 'text' | 'attachments' | 'poll' | 'clear_draft'>): boolean {
    try {
      client.send({ ...target(), ...message });
    } catch {
      const isSignedOut = client.closeReason !== null;
      const text = isSignedOut
        ? t('You’ve been signed out. Sign in again.')
        : t('Too many messages are waiting to be sent. Wait until some have gone out.');
      onNote({ text, isError: true });
      return false;
    }
    composings.set(place, {});
    composings.signal('sent', place, null);
    return true;
  }

  const sendPoll = (poll: PollInput) => post({ text: '', poll });

  async function ask(asked: AskedDecision): Promise<void> {
    await client.call('askDecision', { ...target(), ...asked });
    composings.set(place, {});
    composings.signal('sent', place, null);
  }

  function send(content: string) {
    if (!post({ ...withFiles(content), clear_draft: 'timeline' })) return;
    const note = absentAgentsNote(content, chat);
    if (note !== null) onNote({ text: note, isError: false });
    empty();
  }

  async function sendLater(at: Date, attempt: string): Promise<void> {
    const { send_at } = await client.call('scheduleMessage', {
      ...target(),
      ...withFiles(body),
      client_msg_id: attempt,
      clear_draft: 'timeline',
      send_at: at.toISOString(),
    });
    empty();
    composings.set(place, {});
    store.saveDraft(place, '');
    const time = untilTime(send_at);
    onNote({
      text: t('Scheduled: {time}. You find it in the details of this conversation.', { time }),
      isError: false,
    });
  }

  async function repeat(repeated: Repeated, attempt: string): Promise<void> {
    const { reply_to_message_id: _quoted, ...where } = target();
    const { next_at } = await client.call('createSchedule', {
      ...where,
      text: body,
      ...repeated,
      client_msg_id: attempt,
    });
    empty();
    composings.set(place, {});
    store.saveDraft(place, '');
    const time = untilTime(next_at ?? '');
    onNote({
      text: t('Repeats, first: {time}. You find it in the details of this conversation.', { time }),
      isError: false,
    });
  }

  /** Empties the composer after its message was sent or scheduled. */
  function empty() {
    clear();
    uploads.sent();
    store.setTyping(place, false);
  }

  function edit(messageId: string) {
    if (body === store.message(messageId).get()?.content) return composings.set(place, {});
    const end = () => {
      session.edited.set(messageId, true);
      composings.set(place, {});
      composings.signal('edited', place, messageId);
    };
    const made = store.edit(messageId, body);
    // Without a connection the edit waits, and is shown; a toast says so if it is refused later.
    if (client.state !== 'live') {
      made.catch(() => undefined);
      return end();
    }
    return made.then(end, (error: unknown) => onNote({ text: errorText(error), isError: true }));
  }

  async function command(call: CommandCall) {
    clear();
    composings.set(place, {});
    store.saveDraft(place, '');
    try {
      const { runCommand } = await import('./commands/run-command.ts');
      const text = await runCommand(call, { session, chat, timeline, replyTo });
      onNote({ text, isError: false });
    } catch (error) {
      onNote({ text: errorText(error), isError: true });
    }
  }

  function submit() {
    waiting.current = null;
    onNote(null);
    const call = editing === null && uploads.all.length === 0 ? parseCommand(text, commands) : null;
    if (call) return void command(call);
    if (editing === null && isUploading(uploads.all)) {
      waiting.current = text;
      return onNote({ text: t('Your message will be sent when its files have uploaded.'), isError: false });
    }
    if (editing === null && hasFailed(uploads.all))
      return onNote({
        text: uploads.all.some(({ state, mayRetry }) => state === 'failed' && !mayRetry)
          ? t('A file can’t be uploaded. Remove it, then send again.')
          : t('A file didn’t upload. Retry or remove it, then send again.'),
        isError: true,
      });
    if (!maySend) return undefined;
    return editing === null ? send(body) : void edit(editing);
  }

  /** What waits for its files is sent also if another conversation is open by then, unless its draft has changed. */
  function sendLeft(all: readonly Upload[]) {
    const isSame = waiting.current !== null && (store.draft(place).get()?.text ?? '').trim() === waiting.current.trim();
    waiting.current = null;
    if (!isSame || hasFailed(all)) return;
    if (post({ text: body, attachments: attachmentsOf(all), clear_draft: 'timeline' })) uploads.sent();
  }

  function sendWhenUploaded() {
    waiting.current = text;
  }

  return { send, sendPoll, ask, sendLater, repeat, command, submit, sendWhenUploaded };
}
