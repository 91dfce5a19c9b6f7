import type { BuiltInTool } from '@parley/protocol';
import { Checkbox } from '../ui/forms/checkbox.tsx';
import { Stack } from '../ui/layout/stack.tsx';
import { More } from './more.tsx';
import { ownToolLabels } from '../words/own-tool-labels.ts';
import { t } from '../words/t.ts';

const tools: readonly { name: BuiltInTool; hint: string }[] = [
  { name: 'search_messages', hint: t('It finds messages that are older than those it is sent.') },
  { name: 'read_file', hint: t('It reads on in long files of the conversation.') },
  { name: 'list_people', hint: t('It gets the names of the people and agents.') },
  { name: 'current_time', hint: t('It knows the date and the time.') },
  { name: 'remind', hint: t('It sets one for the person who asks, and for nobody else.') },
  { name: 'ask', hint: t('Its reply waits until somebody answers.') },
  { name: 'remember', hint: t('It writes notes, which people read, edit and delete in the details of the chat.') },
  { name: 'forget', hint: t('It deletes its notes when somebody asks it to.') },
  {
    name: 'search_my_conversations',
    hint: t('It looks beyond the conversation where it is asked. In a group it asks the person first, each time.'),
  },
  {
    name: 'draw_picture',
    hint: t(
      'Only at OpenAI and servers that speak its API. Each picture costs extra, on the key that pays for the reply.',
    ),
  },
  {
    name: 'run_code',
    hint: t('It computes, reads tables and draws charts in a sandbox that reaches nothing else.'),
  },
];

const names = tools.map(({ name }) => name);

interface ToolsFieldProps {
  chosen: readonly BuiltInTool[];
  onChange: (chosen: readonly BuiltInTool[]) => void;
}

/** Which of the service's own tools the agent may use (OWN-1). */
export function ToolsField({ chosen, onChange }: ToolsFieldProps) {
  return (
    <More label={t('Built-in tools')} hasError={false}>
      <Stack>
        <p className="ui-about">
          {t(
            'The agent decides when it uses them. It does so only in the conversation where it is asked, and sees there what the person who asks may see. Each makes its requests a little longer.',
          )}
        </p>
        {tools.map(({ name, hint }) => (
          <Checkbox
            key={name}
            label={ownToolLabels[name]}
            hint={hint}
            isChecked={chosen.includes(name)}
            onChange={(isChecked) => onChange(names.filter((one) => (one === name ? isChecked : chosen.includes(one))))}
          />
        ))}
      </Stack>
    </More>
  );
}
