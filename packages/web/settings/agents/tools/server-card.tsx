import type { ToolServer } from '@parley/protocol';
import { CircleAlert, CircleCheck, Pencil, Trash2 } from 'lucide-react';
import { classNames } from '../../../browser/class-names.ts';
import { ToolLogin } from '../../../config/tool-login.tsx';
import { ToolToken } from '../../../config/tool-token.tsx';
import { approvalWords, identityWords } from '../../../config/tool-words.ts';
import { IconButton } from '../../../ui/button.tsx';
import { SelectField } from '../../../ui/forms/field.tsx';
import { Switch } from '../../../ui/forms/switch.tsx';
import { t } from '../../../words/t.ts';
import { type ChosenTools, hasChanged } from './tool-drafts.ts';
import styles from './tools.module.css';

type Offered = NonNullable<ToolServer['offered']>[number];

interface ServerCardProps {
  agent: string;
  server: ToolServer;
  chosen: ChosenTools;
  onChoose: (chosen: ChosenTools) => void;
  onEdit: () => void;
  onRemove: () => void;
  /** Something was changed on the service. */
  onChange: () => void;
}

/** What a server is like now, and what its owner can do about it. */
const stateText = ({ state, identity, auth }: ToolServer): string =>
  ({
    ok: t('Ready'),
    changed: t('Some of its tools describe themselves differently now. They are not used until you choose them again.'),
    unreachable: t('Can’t be reached now. Check its address, or look again later.'),
    login:
      auth === 'oauth'
        ? t('You have to sign in there first.')
        : identity === 'asker'
          ? t('It needs a token to say which tools it has. Add yours below.')
          : t('It needs a token. Add it below.'),
    off: t('The people who run this service don’t allow this address.'),
  })[state ?? 'unreachable'];

/** A server of tools of the user's agent: its state, its token, and which of its tools the agent may use. */
export function ServerCard({ agent, server, chosen, onChoose, onEdit, onRemove, onChange }: ServerCardProps) {
  const { name, host, identity, approval, auth, state, offered = [] } = server;
  const isOk = state === 'ok';
  return (
    <li className="ui-card" data-server={name} aria-label={name}>
      <div className="ui-row">
        <div className="ui-lines">
          <p className={styles['name']}>{name}</p>
          <p className={styles['facts']}>
            <bdi>{host}</bdi>
          </p>
          <p className={styles['facts']}>
            {identityWords(true)[identity]} · {approvalWords[approval]}
          </p>
        </div>
        <IconButton label={t('Change {name}', { name })} icon={<Pencil />} onClick={onEdit} />
        <IconButton label={t('Remove {name}', { name })} icon={<Trash2 />} onClick={onRemove} />
      </div>
      <p className={classNames(styles['state'], !isOk && styles['needs'])} role="status">
        {isOk ? <CircleCheck className="ui-accent" aria-hidden /> : <CircleAlert aria-hidden />}
        <span>{stateText(server)}</span>
      </p>
      {auth === 'oauth' ? <ToolLogin agent={agent} server={server} onReturn={onChange} /> : null}
      {identity !== 'none' && auth === 'bearer' ? (
        <ToolToken agent={agent} server={server} onChange={onChange} />
      ) : null}
      {offered.length === 0 ? null : (
        <fieldset className={styles['tools']}>
          <legend>{t('Which tools it may use')}</legend>
          <p className="ui-about">
            {t('Names and descriptions are the words of {host}: they may be wrong. Only what you say here counts.', {
              host,
            })}
          </p>
          {offered.map((tool) => (
            <ToolRow
              key={tool.name}
              tool={tool}
              isChanged={hasChanged(server, tool.name)}
              chosen={chosen[tool.name] ?? { isOn: false, writes: true }}
              onChoose={(next) => onChoose({ ...chosen, [tool.name]: next })}
            />
          ))}
        </fieldset>
      )}
      {isOk && offered.length === 0 ? <p className="ui-hint">{t('This server offers no tools.')}</p> : null}
    </li>
  );
}

interface ToolRowProps {
  tool: Offered;
  isChanged: boolean;
  chosen: ChosenTools[string];
  onChoose: (chosen: ChosenTools[string]) => void;
}

function ToolRow({ tool: { name, title, description }, isChanged, chosen, onChoose }: ToolRowProps) {
  const label = title ?? name;
  return (
    <div className={styles['tool']}>
      <Switch
        label={label}
        isOn={chosen.isOn}
        onChange={(isOn) => onChoose({ ...chosen, isOn })}
        hint={
          <>
            {title === undefined ? null : <code>{name}</code>}
            {description === undefined ? null : (
              <q className={styles['words']} dir="auto">
                {description}
              </q>
            )}
          </>
        }
      />
      {isChanged ? <p className={styles['changed']}>{t('Changed since you chose it.')}</p> : null}
      {chosen.isOn ? (
        <SelectField
          label={t('What {name} does', { name: label })}
          value={chosen.writes ? 'writes' : 'reads'}
          options={[
            { value: 'writes', label: t('May change something') },
            { value: 'reads', label: t('Only reads') },
          ]}
          onChange={({ target }) => onChoose({ ...chosen, writes: target.value === 'writes' })}
        />
      ) : null}
    </div>
  );
}
