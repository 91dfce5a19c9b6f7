import type { PublicChat } from '@parley/protocol';
import { useCallback } from 'react';
import { membersText } from '../../chats/chat/member-counts.ts';
import { useLoaded } from '../../calls/use-loaded.ts';
import { useSubmit } from '../../calls/use-submit.ts';
import { useSession } from '../../session/session.ts';
import { Section } from '../../ui/layout/section.tsx';
import { LoadedView } from '../../ui/states/loaded-view.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { Saved } from '../../ui/states/done.tsx';
import { ChosenRow } from '../chosen-row.tsx';
import { RowList } from '../row-list.tsx';
import { t } from '../../words/t.ts';

const PAGE = 200;

/** The public groups that new members are in from the start. A press chooses one, or leaves it out, at once. */
export function DefaultGroups() {
  const { client } = useSession();
  // All of them: the service takes the whole list, and one that is not loaded would be left out.
  const load = useCallback(
    async (signal: AbortSignal) => {
      const chats: PublicChat[] = [];
      let cursor: string | undefined;
      do {
        const page = await client.call('browseChats', { limit: PAGE, cursor }, { signal });
        chats.push(...page.items);
        cursor = page.next_cursor;
      } while (cursor !== undefined);
      return chats.toSorted((one, other) => Number(other.is_default ?? false) - Number(one.is_default ?? false));
    },
    [client],
  );
  const loaded = useLoaded<readonly PublicChat[]>(load);
  const { isBusy, isDone, errorBut, submit } = useSubmit();

  const toggle = (chats: readonly PublicChat[], { id }: PublicChat) =>
    submit(async () => {
      const next = chats.map(({ is_default, ...chat }) => ({
        ...chat,
        ...((chat.id === id) !== (is_default ?? false) && { is_default: true as const }),
      }));
      await client.call('setDefaultChats', { chat_ids: next.filter((chat) => chat.is_default).map((chat) => chat.id) });
      loaded.put(next);
    });

  return (
    <Section
      title={t('Groups of new members')}
      hint={t('New members are in the chosen public groups from the start. Guests are not.')}
    >
      <LoadedView loaded={loaded} label={t('Loading groups')} empty={t('There are no public groups.')}>
        {(chats) => (
          <RowList
            label={t('Groups of new members')}
            items={chats}
            keyOf={({ id }) => id}
            isChosen={(chat) => chat.is_default ?? false}
            onPress={(chat) => (isBusy ? undefined : void toggle(chats, chat))}
          >
            {(chat) => (
              <ChosenRow
                title={chat.title}
                note={membersText(chat.participant_count)}
                isChosen={chat.is_default ?? false}
              />
            )}
          </RowList>
        )}
      </LoadedView>
      <Problem text={errorBut()} />
      <Saved isDone={isDone} />
    </Section>
  );
}
