import type { ReactNode, Ref } from 'react';
import styles from '../layout/stack.module.css';

interface FormProps {
  ref?: Ref<HTMLFormElement>;
  /** Instead of fields below each other. */
  className?: string | undefined;
  onSubmit: () => unknown;
  children: ReactNode;
}

/** A form that the app itself checks and sends. */
export const Form = ({ ref, className = styles['wide'], onSubmit, children }: FormProps) => (
  <form
    ref={ref}
    className={className}
    noValidate
    onSubmit={(event) => {
      event.preventDefault();
      void onSubmit();
    }}
  >
    {children}
  </form>
);
