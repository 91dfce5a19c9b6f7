import { type SubmitEvent, useState } from 'react';
import { useSession } from '../../session/session.ts';
import { useSubmit } from '../../calls/use-submit.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/forms/field.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import styles from '../../config/settings.module.css';

interface AgentNameProps {
  agent: { username: string; display_name: string };
  onSaved: () => void;
}

/** The form for the name of one's agent, which everyone sees who sees the agent. */
export function AgentName({ agent, onSaved }: AgentNameProps) {
  const { client } = useSession();
  const { username } = agent;
  const [name, setName] = useState(agent.display_name);
  const { isBusy, isDone, errorOf, errorBut, submit, refuse, clear } = useSubmit();
  async function save(event: SubmitEvent) {
    event.preventDefault();
    const display_name = name.trim();
    if (display_name === '') return refuse('display_name', 'Enter a name so others recognize it.');
    if (await submit(() => client.call('updateAgent', { username, display_name }))) onSaved();
    return undefined;
  }
  return (
    <form className={styles['form']} onSubmit={(event) => void save(event)} noValidate>
      <Field
        label="Name"
        maxLength={64}
        autoComplete="off"
        value={name}
        hint={`Everyone who talks with it sees this name. It stays @${username}.`}
        error={errorOf('display_name')}
        onChange={({ target }) => {
          setName(target.value);
          clear();
        }}
      />
      <Problem text={errorBut('display_name')} />
      <div className={styles['buttons']}>
        <span className={styles['done']} role="status">
          {isDone ? 'Saved' : ''}
        </span>
        <Button type="submit" isBusy={isBusy}>
          Save
        </Button>
      </div>
    </form>
  );
}
