import type { ComponentProps } from 'react';
import { useOpenProfile } from '../../session/open-profile.ts';
import { PersonLine } from './person-line.tsx';
import styles from './person-line.module.css';

/** An account in a list; a press opens its profile. */
export function ProfileLine(props: ComponentProps<typeof PersonLine>) {
  const open = useOpenProfile();
  const { username } = props.who;
  if (!open) return <PersonLine {...props} />;
  return (
    <button type="button" className={styles['press']} aria-haspopup="dialog" onClick={() => open(username)}>
      <PersonLine {...props} />
    </button>
  );
}
