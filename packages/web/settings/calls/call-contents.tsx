import type { ToolCall } from '@parley/protocol';
import { useCallback } from 'react';
import { useLoaded } from '../../calls/use-loaded.ts';
import { CodeBlock } from '../../markdown/views/code-block.tsx';
import { ranBy, RanCode } from '../../markdown/views/ran-code.tsx';
import { useSession } from '../../session/session.ts';
import { ArgumentsTable } from '../../ui/arguments-table.tsx';
import { LoadedView } from '../../ui/states/loaded-view.tsx';
import { t } from '../../words/t.ts';

type Contents = Pick<ToolCall, 'arguments' | 'result'>;

/** What one's own call was given and has answered; what a long list leaves out is fetched (CALL-14). */
export function CallContents({ call }: { call: ToolCall }) {
  const { client } = useSession();
  const { call_id: callId, left_out: isLeftOut, message_id: messageId } = call;
  const load = useCallback(async (): Promise<Contents> => {
    if (!isLeftOut || messageId === undefined) return call;
    const { items } = await client.call('getMessages', { message_ids: [messageId] });
    const part = items[0]?.parts?.find((one) => one.type === 'tool' && one.call_id === callId);
    if (part?.type !== 'tool') return {};
    const { input, output } = part;
    return {
      ...(typeof input === 'object' && input !== null && { arguments: { ...input } }),
      ...(typeof output === 'string' && { result: output }),
    };
  }, [client, call, callId, isLeftOut, messageId]);
  const loaded = useLoaded<Contents>(load);
  return (
    <LoadedView loaded={loaded} label={t('Loading what was sent')}>
      {({ arguments: given, result = '' }) => (
        <>
          <Given call={call} given={given} />
          {result === '' ? null : <CodeBlock info={t('Output')} text={result} isBounded />}
        </>
      )}
    </LoadedView>
  );
}

function Given({ call, given }: { call: ToolCall; given: Contents['arguments'] }) {
  if (given === undefined) return <p className="ui-about">{t('What was sent is no longer kept.')}</p>;
  const ran = ranBy({ name: call.tool, title: call.title }, given);
  if (ran) return <RanCode {...ran} />;
  return Object.keys(given).length === 0 ? null : <ArgumentsTable label={t('Input')} values={given} />;
}
