import { Download } from 'lucide-react';
import { useSession } from '../../session/session.ts';
import { useSubmit } from '../../calls/use-submit.ts';
import { Done } from '../../ui/states/done.tsx';
import { Buttons } from '../../ui/layout/buttons.tsx';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { usePasswordQuestion } from './ask-password.tsx';
import { t } from '../../words/t.ts';

/** Downloads an export of the user's data. */
export function ExportData() {
  const { client } = useSession();
  const { isBusy, isDone, errorBut, submit } = useSubmit();
  const { ask, dialog } = usePasswordQuestion();
  const download = () =>
    submit(async () => {
      const { url } = await ask((given) => client.call('exportMyData', given));
      const link = document.createElement('a');
      link.href = new URL(url, client.url).href;
      link.download = 'my-data.json';
      link.click();
    });
  return (
    <Section
      title={t('Your data')}
      hint={t(
        'Download a file with your profile, messages, settings and everything else that’s yours. It contains no passwords or keys.',
      )}
    >
      <Buttons>
        <Done>{isDone ? t('Download started.') : ''}</Done>
        <Button isBusy={isBusy} onClick={() => void download()}>
          <Download aria-hidden /> {t('Download')}
        </Button>
      </Buttons>
      <Problem text={errorBut()} />
      {dialog}
    </Section>
  );
}
