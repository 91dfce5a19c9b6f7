import type { Chat } from '@parley/client/store';
import type { Actor } from '@parley/protocol';
import { useCallback, useEffect } from 'react';
import { useLoaded } from '../../calls/use-loaded.ts';
import { useSession } from '../../session/session.ts';
import { Stack } from '../../ui/layout/stack.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { LoadedView } from '../../ui/states/loaded-view.tsx';
import { t } from '../../words/t.ts';
import { isManager } from '../chat/roles.ts';
import { NewNote, NoteItem } from './note-item.tsx';

interface AgentNotesProps {
  chat: Chat;
  agent: Actor;
  onClose: () => void;
}

/** What an agent remembers in a conversation: people read, edit, delete and add it (WEB-700). */
export default function AgentNotes({ chat, agent, onClose }: AgentNotesProps) {
  const { client, username: self } = useSession();
  const [chat_id, agent_username] = [chat.id, agent.username];
  const load = useCallback(async () => {
    const [{ items }, { built_in_tools: tools = [] }] = await Promise.all([
      client.call('getNotes', { chat_id, agent_username }),
      client.call('getAgent', { username: agent_username }),
    ]);
    return { items, remembers: tools.includes('remember') };
  }, [client, chat_id, agent_username]);
  const notes = useLoaded(load);
  const { reload } = notes;
  useEffect(
    () => client.on('notesChanged', (changed) => changed.agent_username === agent_username && reload()),
    [client, agent_username, reload],
  );
  const manages = chat.kind === 'direct' || isManager(chat, self);
  return (
    <Dialog title={t('What {name} remembers', { name: agent.display_name })} isOpen onClose={onClose}>
      <Stack>
        <p className="ui-about">
          {chat.kind === 'direct'
            ? t('Only you see this. It is sent with your direct chats with this agent, never in a group.')
            : t('Everybody in this group sees this and may correct it. It is sent with this group’s messages.')}
        </p>
        <LoadedView loaded={notes} label={t('Loading what it remembers')}>
          {({ items, remembers }) => (
            <>
              {items.length === 0 ? <p className="ui-hint">{t('It remembers nothing yet.')}</p> : null}
              <ul className="ui-stack">
                {items.map((note) => (
                  <NoteItem
                    key={note.id}
                    note={note}
                    mayDelete={manages || (note.asked_by ?? note.written_by).username === self}
                    onChange={reload}
                  />
                ))}
              </ul>
              {remembers ? (
                <NewNote place={{ chat_id, agent_username }} onChange={reload} />
              ) : (
                <p className="ui-hint">{t('Its owner has not let this agent remember things.')}</p>
              )}
            </>
          )}
        </LoadedView>
      </Stack>
    </Dialog>
  );
}
