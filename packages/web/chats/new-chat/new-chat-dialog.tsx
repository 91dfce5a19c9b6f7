import { ApiError } from '@parley/client';
import { Bookmark, LibraryBig, Sparkles, UsersRound } from 'lucide-react';
import { type SubmitEvent, useId, useState } from 'react';
import { useNavigate } from '../../browser/navigation.ts';
import { chatRoute, newAgentRoute } from '../../browser/route.ts';
import { useSession } from '../../session/session.ts';
import { useSubmit } from '../../calls/use-submit.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Field } from '../../ui/forms/field.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import styles from './new-chat.module.css';
import { closed, type Openness, OpennessFields } from '../chat/openness-fields.tsx';
import { PersonPicker } from '../people/person-picker.tsx';
import { isOwnAgent, type Person, useOwnAgents, usePartners } from '../people/use-known-people.ts';
import { chatRefusal } from '../../words/chat-refusal.ts';
import { t } from '../../words/t.ts';

/** Starts a conversation: a direct chat with one person, or a group with a name and any number of people. */
export default function NewChatDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const { client, store, username, may } = useSession();
  const [picked, setPicked] = useState<readonly Person[]>([]);
  const [wantsGroup, setWantsGroup] = useState(false);
  const [title, setTitle] = useState('');
  const [openness, setOpenness] = useState(closed);
  const { isBusy, errorOf, errorBut, submit, refuse, clear } = useSubmit();
  const formId = useId();
  const agents = useOwnAgents();
  const partners = usePartners();
  const isGroup = picked.length > 1 || wantsGroup;
  const [first] = picked;
  const isForeign = (person: Person): boolean => person.kind === 'agent' && !isOwnAgent(person, username);
  // An agent of somebody else can only be in a direct chat: picking another person would make it a group.
  const loner = first && isForeign(first) ? first : null;

  async function start(params: { username: string } | ({ usernames: string[]; title: string } & Openness)) {
    const isDone = await submit(
      async () => {
        const chat = await client.call('startChat', params);
        store.putChat(chat);
        // They answer only when mentioned, like agents that are added later.
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
    if (name === '') return refuse('title', t('Enter a name for the group.'));
    return void start({ usernames: picked.map((person) => person.username), title: name, ...openness });
  }

  function whyNot(person: Person): string | null {
    // Guests make no groups.
    if (loner || (first && !may('addMembers'))) return '';
    return isForeign(person) && (isGroup || first) ? t('Only its owner can add it to groups') : null;
  }

  const known = [...agents, ...partners.filter((partner) => !isOwnAgent(partner, username))];
  return (
    <Dialog
      title={isGroup ? t('New group') : t('New conversation')}
      isOpen
      onClose={onClose}
      footer={
        <>
          {picked.length < 2 && !loner && may('addMembers') ? (
            <Button look="quiet" onClick={() => setWantsGroup(!wantsGroup)}>
              {isGroup ? t('Back') : t('Make a group')}
            </Button>
          ) : null}
          <Button type="submit" form={formId} look="primary" disabled={!isGroup && !first} isBusy={isBusy}>
            {isGroup ? t('Create group') : t('Open chat')}
          </Button>
        </>
      }
    >
      <form id={formId} className={styles['body']} onSubmit={confirm} noValidate>
        {isGroup ? (
          <Field
            label={t('Group name')}
            autoFocus
            value={title}
            maxLength={80}
            autoComplete="off"
            hint={t('You can add more people later, or share an invite link.')}
            error={errorOf('title')}
            onChange={({ target }) => {
              setTitle(target.value);
              clear();
            }}
          />
        ) : null}
        {isGroup ? <OpennessFields openness={openness} onChange={setOpenness} /> : null}
        <PersonPicker
          picked={picked}
          onChange={(people) => {
            setPicked(people);
            clear();
          }}
          known={known}
          isOffered={(person) => person.username !== username}
          whyNot={whyNot}
          hint={loner ? t('Only its owner can add {name} to a group.', { name: loner.display_name }) : undefined}
          label={t('Search people and agents by name')}
          empty={t('Type a name to find someone.')}
        />
        <Problem text={errorBut('title')} />
        {picked.length === 0 && !isGroup ? (
          <div>
            <button type="button" className={styles['saved']} onClick={() => void start({ username })}>
              <span className={styles['icon']}>
                <Bookmark aria-hidden />
              </span>
              {t('Saved messages, only for you')}
            </button>
            {may('browseChats') ? (
              <button
                type="button"
                className={styles['saved']}
                onClick={() => {
                  navigate({ name: 'browse' });
                  onClose();
                }}
              >
                <span className={styles['icon']}>
                  <UsersRound aria-hidden />
                </span>
                {t('Browse groups')}
              </button>
            ) : null}
            {may('getUsers') ? (
              <button
                type="button"
                className={styles['saved']}
                onClick={() => {
                  navigate({ name: 'shelf' });
                  onClose();
                }}
              >
                <span className={styles['icon']}>
                  <LibraryBig aria-hidden />
                </span>
                {t('Browse agents')}
              </button>
            ) : null}
            {may('createAgent') ? (
              <button
                type="button"
                className={styles['saved']}
                onClick={() => {
                  navigate(newAgentRoute());
                  onClose();
                }}
              >
                <span className={styles['icon']}>
                  <Sparkles aria-hidden />
                </span>
                {t('New agent, as you want it')}
              </button>
            ) : null}
          </div>
        ) : null}
      </form>
    </Dialog>
  );
}

const say = (text: string) => ({ field: null, text });

function refusalOf(error: unknown, picked: readonly Person[]) {
  if (!(error instanceof ApiError)) return null;
  if (error.code === 'not_found') return say(t('Someone you picked has left. Search for them again.'));
  if (error.code !== 'forbidden') return null;
  if (picked.length > 1) return say(t('Only their owners can add agents to a group. Remove them and try again.'));
  return say(chatRefusal(error, picked[0]?.kind === 'agent'));
}
