// Groups of people, and the public groups that new members are in. May import: admin's own files.
import type { UserGroup } from '@parley/protocol';
import { useCallback, useState } from 'react';
import { useLoaded } from '../../calls/use-loaded.ts';
import { useSession } from '../../session/session.ts';
import { Button } from '../../ui/button.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { LoadedView } from '../../ui/states/loaded-view.tsx';
import { handleOf } from '../../words/shown-name.ts';
import { RowList } from '../row-list.tsx';
import { DefaultGroups } from './default-groups.tsx';
import { UserGroupDialog } from './user-group-dialog.tsx';
import { t } from '../../words/t.ts';

/** The groups of people that `@name` mentions, and the groups of new members. */
export function GroupsPage() {
  const { client } = useSession();
  const load = useCallback(async () => (await client.call('getUserGroups')).items, [client]);
  const loaded = useLoaded<readonly UserGroup[]>(load);
  /** The name of the open group; '' for a new one. */
  const [open, setOpen] = useState<string | null>(null);

  /** Null for one that is deleted. */
  function put(name: string, group: UserGroup | null) {
    loaded.change((before) => {
      const others = before.filter((one) => one.name !== name);
      return group ? [...others, group].toSorted((one, other) => (one.name < other.name ? -1 : 1)) : others;
    });
    setOpen(null);
  }

  return (
    <>
      <Section
        title={t('Groups of people')}
        hint={t('A mention of a group notifies those of its people who take part where it is written.')}
        action={
          <Button size="small" onClick={() => setOpen('')}>
            {t('New group')}
          </Button>
        }
      >
        <LoadedView loaded={loaded} label={t('Loading groups')} empty={t('There are no groups of people yet.')}>
          {(groups) => (
            <RowList
              label={t('Groups of people')}
              items={groups}
              keyOf={({ name }) => name}
              onPress={({ name }) => setOpen(name)}
            >
              {({ name, title, usernames }) => (
                <span className="ui-lines">
                  <span className="ui-line ui-name" dir="auto">
                    {title}
                  </span>
                  <span className="ui-line ui-note">
                    {[
                      handleOf(name),
                      t('{people, plural, one {# person} other {# people}}', { people: usernames.length }),
                    ].join(' · ')}
                  </span>
                </span>
              )}
            </RowList>
          )}
        </LoadedView>
      </Section>
      <DefaultGroups />
      {open === null ? null : (
        <UserGroupDialog
          group={loaded.value?.find(({ name }) => name === open) ?? null}
          onDone={put}
          onClose={() => setOpen(null)}
        />
      )}
    </>
  );
}
