import type { ReactNode, Ref } from 'react';

interface FormProps {
  ref?: Ref<HTMLFormElement>;
  /** For a button outside it. */
  id?: string;
  /** Instead of fields below each other; null if it has no layout of its own. */
  className?: string | null | undefined;
  onSubmit: () => unknown;
  children: ReactNode;
}

/** A form that the app itself checks and sends. */
export const Form = ({ ref, id, className = 'ui-wide', onSubmit, children }: FormProps) => (
  <form
    ref={ref}
    id={id}
    className={className ?? undefined}
    noValidate
    onSubmit={(event) => {
      event.preventDefault();
      void onSubmit();
    }}
  >
    {children}
  </form>
);
