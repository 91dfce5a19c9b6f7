import type { Chat } from '@parley/client/store';
import { useState } from 'react';
import { useSession } from '../../session/session.ts';
import { useCell } from '../../session/use-cell.ts';
import { useSubmit } from '../../calls/use-submit.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { tellAdded } from '../chat/tell-added.ts';
import { PersonPicker } from '../people/person-picker.tsx';
import { type Person, usePartners } from '../people/use-known-people.ts';
import { t } from '../../words/t.ts';

/** A dialog that adds people to a group. */
export function AddPeople({ chat, onClose }: { chat: Chat; onClose: () => void }) {
  const { client, store } = useSession();
  const members = useCell(store.members(chat.id));
  const partners = usePartners();
  const [picked, setPicked] = useState<readonly Person[]>([]);
  const { isBusy, errorBut, submit } = useSubmit();
  const isThere = (username: string): boolean => members.items.some((member) => member.username === username);
  async function add() {
    const usernames = picked.map(({ username }) => username);
    const isDone = await submit(async () => {
      await client.call('addMembers', { chat_id: chat.id, usernames });
      await tellAdded(client, chat, { usernames });
    });
    if (isDone) onClose();
  }
  return (
    <Dialog
      title={t('Add people')}
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button look="primary" disabled={picked.length === 0} isBusy={isBusy} onClick={() => void add()}>
            {t('Add')}
          </Button>
        </>
      }
    >
      <PersonPicker
        picked={picked}
        onChange={setPicked}
        known={partners}
        isOffered={({ kind, username }) => kind === 'human' && !isThere(username)}
        label={t('Search people by name')}
        empty={t('Type a name to find someone.')}
      />
      <Problem text={errorBut()} />
    </Dialog>
  );
}
