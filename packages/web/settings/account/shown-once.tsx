import { Buttons } from '../../ui/layout/buttons.tsx';
import { Stack } from '../../ui/layout/stack.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { CopiedField } from '../../ui/forms/copied-field.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { t } from '../../words/t.ts';

interface ShownOnceProps {
  title: string;
  /** What it is for, and that it is not shown again. */
  hint: string;
  label: string;
  copyLabel: string;
  value: string;
  onClose: () => void;
}

/** A secret that the service shows only once. */
export function ShownOnce({ title, hint, label, copyLabel, value, onClose }: ShownOnceProps) {
  return (
    <Dialog
      title={title}
      isOpen
      onClose={onClose}
      footer={
        <Button look="primary" onClick={onClose}>
          {t('I’ve saved it')}
        </Button>
      }
    >
      <Stack>
        <p className="ui-about">{hint}</p>
        <CopiedField label={label} value={value} />
        <Buttons>
          <CopyButton text={value} label={copyLabel} />
        </Buttons>
      </Stack>
    </Dialog>
  );
}
