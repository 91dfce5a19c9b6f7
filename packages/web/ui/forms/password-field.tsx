import { Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { IconButton } from '../button.tsx';
import { Field } from './field.tsx';
import { t } from '../../words/t.ts';

/** A Field for a password, with a button that shows what was typed. */
export function PasswordField(input: Omit<ComponentProps<typeof Field>, 'type' | 'button'>) {
  const [isShown, setIsShown] = useState(false);
  return (
    <Field
      {...input}
      autoCapitalize="none"
      spellCheck={false}
      type={isShown ? 'text' : 'password'}
      button={
        <IconButton
          label={isShown ? t('Hide password') : t('Show password')}
          icon={isShown ? <EyeOff /> : <Eye />}
          onClick={() => setIsShown(!isShown)}
        />
      }
    />
  );
}
