import { ApiError } from '@parley/client';
import { Bookmark } from 'lucide-react';
import { type SubmitEvent, useId, useState } from 'react';
import { useNavigate } from '../../browser/navigation.ts';
import { chatRoute } from '../../browser/route.ts';
import { useSession } from '../../session/session.ts';
import { useSubmit } from '../../calls/use-submit.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Problem } from '../../ui/problem.tsx';
import styles from './new-chat.module.css';
import { PersonPicker } from '../people/person-picker.tsx';
import { isOwnAgent, type Person, useOwnAgents, usePartners } from '../people/use-known-people.ts';

/** One person makes a direct chat, several and a title make a group. */
export default function NewChatDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const { client, store, username } = useSession();
  const [picked, setPicked] = useState<readonly Person[]>([]);
  const [wantsGroup, setWantsGroup] = useState(false);
  const [title, setTitle] = useState('');
  const { isBusy, errorOf, errorBut, submit, refuse, clear } = useSubmit();
  const formId = useId();
  const agents = useOwnAgents();
  const partners = usePartners();
  const isGroup = picked.length > 1 || wantsGroup;
  const [first] = picked;
  const isForeign = (person: Person): boolean => person.kind === 'agent' && !isOwnAgent(person, username);
  // It talks with one person alone here: whoever came with it would make this a group.
  const loner = first && isForeign(first) ? first : null;

  async function start(params: { username: string } | { usernames: string[]; title: string }) {
    const isDone = await submit(
      async () => {
        const chat = await client.call('startChat', params);
        store.putChat(chat);
        // They answer when they are spoken to, as agents that come later do.
        for (const { username: agent_username, kind } of isGroup ? picked : [])
          if (kind === 'agent')
            await client.call('addGroupAgent', { chat_id: chat.id, agent_username, always_on: false });
        navigate(chatRoute(chat.id));
      },
      (error) => refusalOf(error, picked),
    );
    if (isDone) onClose();
  }

  function confirm(event: SubmitEvent) {
    event.preventDefault();
    const name = title.trim();
    if (!isGroup) return first ? void start({ username: first.username }) : undefined;
    if (name === '') return refuse('title', 'Give the group a name.');
    return void start({ usernames: picked.map((person) => person.username), title: name });
  }

  function whyNot(person: Person): string | null {
    if (loner) return '';
    return isForeign(person) && (isGroup || first) ? 'Only its owner can add it' : null;
  }

  const known = [...agents, ...partners.filter((partner) => !isOwnAgent(partner, username))];
  return (
    <Dialog
      title={isGroup ? 'New group' : 'New conversation'}
      isOpen
      onClose={onClose}
      footer={
        <>
          {picked.length < 2 && !loner ? (
            <Button look="quiet" onClick={() => setWantsGroup(!wantsGroup)}>
              {isGroup ? 'Back' : 'Make a group'}
            </Button>
          ) : null}
          <Button type="submit" form={formId} look="primary" disabled={!isGroup && !first} isBusy={isBusy}>
            {isGroup ? 'Create group' : 'Open chat'}
          </Button>
        </>
      }
    >
      <form id={formId} className={styles['body']} onSubmit={confirm} noValidate>
        {isGroup ? (
          <Field
            label="Group name"
            value={title}
            maxLength={80}
            autoComplete="off"
            hint="Others can come in later, by an invite link too."
            error={errorOf('title')}
            onChange={({ target }) => {
              setTitle(target.value);
              clear();
            }}
          />
        ) : null}
        <PersonPicker
          picked={picked}
          onChange={(people) => {
            setPicked(people);
            clear();
          }}
          known={known}
          isOffered={(person) => person.username !== username}
          whyNot={whyNot}
          hint={loner ? `Only its owner can bring ${loner.display_name} together with others.` : undefined}
          label="Search people and agents by name"
          empty="Type a name to find somebody."
        />
        <Problem text={errorBut('title')} />
        {picked.length === 0 && !isGroup ? (
          <button type="button" className={styles['saved']} onClick={() => void start({ username })}>
            <span className={styles['icon']}>
              <Bookmark size={18} aria-hidden />
            </span>
            Saved messages, for you alone
          </button>
        ) : null}
      </form>
    </Dialog>
  );
}

const say = (text: string) => ({ field: null, text });

function refusalOf(error: unknown, picked: readonly Person[]) {
  if (!(error instanceof ApiError)) return null;
  if (error.code === 'not_found') return say('Somebody you picked is not there any more.');
  if (error.code !== 'forbidden') return null;
  if (picked.length > 1)
    return say('Agents of others come into a group by their owner. Leave them out, and try again.');
  return picked[0]?.kind === 'agent'
    ? say('This agent is private: its owner can make it public, or bring it into a group.')
    : say('You cannot start a conversation with this person.');
}
