import type { ServiceInvite } from '@parley/protocol';
import { useState } from 'react';
import { useSession } from '../../session/session.ts';
import { Button } from '../../ui/button.tsx';
import { Fact, Facts } from '../../ui/facts.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { useSubmit } from '../../calls/use-submit.ts';
import { handleOf } from '../../words/shown-name.ts';
import { fullTime, untilTime } from '../../words/times.ts';
import { roleTitles } from '../accounts/roles.ts';
import { RowList } from '../row-list.tsx';
import { wholeNumber } from '../../words/whole-number.ts';
import { t } from '../../words/t.ts';

interface InviteRowsProps {
  invites: readonly ServiceInvite[];
  onRevoke: (id: string) => void;
}

/** The links that are valid, each of which opens what it gives and a button to revoke it. */
export function InviteRows({ invites, onRevoke }: InviteRowsProps) {
  const [open, setOpen] = useState<string | null>(null);
  const shown = invites.find(({ id }) => id === open);
  if (invites.length === 0) return <p className="ui-hint">{t('There are no links.')}</p>;
  return (
    <>
      <RowList label={t('Invite links')} items={invites} keyOf={({ id }) => id} onPress={({ id }) => setOpen(id)}>
        {(invite) => (
          <span className="ui-lines">
            <span className="ui-line ui-name">
              {t('{role}, by {maker}', { role: roleTitles[invite.role], maker: handleOf(invite.created_by) })}
            </span>
            <span className="ui-line ui-note">{[usesText(invite), endText(invite)].join(' · ')}</span>
          </span>
        )}
      </RowList>
      {shown ? <InviteFacts invite={shown} onRevoke={onRevoke} onClose={() => setOpen(null)} /> : null}
    </>
  );
}

interface InviteFactsProps {
  invite: ServiceInvite;
  onRevoke: (id: string) => void;
  onClose: () => void;
}

function InviteFacts({ invite, onRevoke, onClose }: InviteFactsProps) {
  const { client } = useSession();
  const { isBusy, errorBut, submit } = useSubmit();
  async function revoke() {
    if (!(await submit(() => client.call('revokeServiceInvite', { invite_id: invite.id })))) return;
    onClose();
    onRevoke(invite.id);
  }
  return (
    <Dialog
      title={t('Invite link')}
      isOpen
      onClose={onClose}
      footer={
        <Button look="danger" isBusy={isBusy} onClick={() => void revoke()}>
          {t('Revoke')}
        </Button>
      }
    >
      <Facts>
        <Fact name={t('Made by')}>{handleOf(invite.created_by)}</Fact>
        <Fact name={t('Created')}>{fullTime(invite.created_at)}</Fact>
        <Fact name={t('Uses')}>{usesText(invite)}</Fact>
        <Fact name={t('Expires')}>{invite.expires_at === undefined ? t('Never') : untilTime(invite.expires_at)}</Fact>
        <Fact name={t('Role')}>{roleTitles[invite.role]}</Fact>
        <Fact name={t('Needs approval')}>{invite.approval ? t('Yes') : t('No')}</Fact>
        <Fact name={t('Groups')}>{wholeNumber(invite.chat_ids.length)}</Fact>
      </Facts>
      <Problem text={errorBut()} />
    </Dialog>
  );
}

const usesText = ({ uses, max_uses: max }: ServiceInvite): string =>
  max === undefined ? t('{uses, number} joined', { uses }) : t('{uses, number} of {max, number} joined', { uses, max });

const endText = ({ expires_at: end }: ServiceInvite): string =>
  end === undefined ? t('Never expires') : t('Until {time}', { time: untilTime(end) });
