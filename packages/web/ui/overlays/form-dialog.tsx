import { type ReactNode, useId } from 'react';
import { t } from '../../words/t.ts';
import { Button } from '../button.tsx';
import { Form } from '../forms/form.tsx';
import { Dialog } from './dialog.tsx';

interface FormDialogProps {
  title: string;
  /** What the form does, on its button. */
  action: string;
  look?: 'primary' | 'danger';
  /** What the other button says. */
  refusal?: string;
  isBusy: boolean;
  onSubmit: () => Promise<unknown>;
  onClose: () => void;
  children: ReactNode;
  /** A dialog that the form opens. Outside the form, because React's events of a portal reach its parents. */
  nested?: ReactNode;
}

/** A dialog with a form, and the buttons that send and leave it. */
export function FormDialog(props: FormDialogProps) {
  const { title, action, look = 'primary', refusal = t('Cancel'), isBusy, onSubmit, onClose } = props;
  const id = useId();
  return (
    <Dialog
      title={title}
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{refusal}</Button>
          <Button type="submit" form={id} look={look} isBusy={isBusy}>
            {action}
          </Button>
        </>
      }
    >
      <Form id={id} onSubmit={onSubmit}>
        {props.children}
      </Form>
      {props.nested}
    </Dialog>
  );
}
