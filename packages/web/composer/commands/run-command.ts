import { handleOf } from '../../words/shown-name.ts';
import type { Chat, Timeline } from '@parley/client/store';
import type { Session } from '../../session/session.ts';
import { type CommandCall, namesIn, secondsOf } from './slash-commands.ts';
import { duration } from '../../words/duration.ts';
import { listOf } from '../../words/list-of.ts';
import { t } from '../../words/t.ts';

interface CommandContext {
  session: Session;
  chat: Chat;
  timeline: Timeline;
  replyTo: string | null;
}

/** Runs a command and returns the note to show. Throws the service's errors. */
export async function runCommand({ command, argument }: CommandCall, context: CommandContext): Promise<string> {
  const { session, chat, timeline, replyTo } = context;
  const { client, store } = session;
  const chat_id = chat.id;
  if (command.isArgumentNeeded && argument === '')
    return t('Type /{name} followed by {argument}.', { name: command.name, argument: command.argument ?? '…' });
  switch (command.name) {
    case 'stop':
      await client.call('stopRun', { chat_id });
      return t('Stopping the replies.');
    case 'mute': {
      const seconds = secondsOf(argument);
      if (seconds === null) return t('Type a time like 30m, 8h or 2d, or leave it out.');
      const span = seconds === undefined ? {} : { mute_for: seconds };
      store.putChat(await client.call('setChatNotifications', { chat_id, is_muted: true, ...span }));
      return seconds === undefined ? t('Muted.') : t('Muted for {time}.', { time: duration(seconds * 1_000) });
    }
    case 'unmute':
      store.putChat(await client.call('setChatNotifications', { chat_id, is_muted: false }));
      return t('Unmuted.');
    case 'pin': {
      const isThere = (id: string): boolean => store.message(id).get()?.outbox === undefined;
      const message_id = replyTo ?? store.message(timeline.get().ids.findLast(isThere) ?? '').get()?.id;
      if (message_id === undefined) return t('No messages to pin yet.');
      store.putChat(await client.call('pinMessage', { chat_id, message_id }));
      return t('Pinned.');
    }
    case 'invite': {
      const usernames = namesIn(argument);
      await client.call('addMembers', { chat_id, usernames });
      const { tellAdded } = await import('../../chats/chat/tell-added.ts');
      await tellAdded(client, chat, { usernames });
      return t('Added {names}.', { names: listOf(usernames.map(handleOf)) });
    }
    case 'rename':
      await client.call('setChatTitle', { chat_id, title: argument });
      return t('Renamed.');
    default:
      return command.name satisfies never;
  }
}
