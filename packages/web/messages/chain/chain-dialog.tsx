import type { StoredMessage } from '@parley/client/store';
import type { Message } from '@parley/protocol';
import { useCallback } from 'react';
import { useNavigate } from '../../browser/navigation.ts';
import { chatRoute } from '../../browser/route.ts';
import { useLoaded } from '../../calls/use-loaded.ts';
import { useNamesOf } from '../../chats/people/use-names-of.ts';
import { useSession } from '../../session/session.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { LoadedView } from '../../ui/states/loaded-view.tsx';
import { noteOf } from '../../words/finish-notes.ts';
import { leftOutText } from '../../words/left-out-text.ts';
import { firstOf } from '../../words/list-of.ts';
import { shownName } from '../../words/shown-name.ts';
import { ReplyFacts } from '../actions/reply-facts.tsx';
import type { ChainTurn } from './chain.ts';
import { type Chain, loadChain } from './load-chain.ts';
import { t } from '../../words/t.ts';

/** Maximum agents that a row names as left out. */
const NAMED = 3;
const none: readonly string[] = [];

/** A chain of replies: who asked whom, what each cost, and how it ended (WEB-546). */
export default function ChainDialog({ message, onClose }: { message: StoredMessage; onClose: () => void }) {
  const { store } = useSession();
  const load = useCallback(async () => loadChain(store, message), [store, message]);
  const chain = useLoaded(load);
  return (
    <Dialog title={t('Who asked whom')} isOpen onClose={onClose}>
      <LoadedView loaded={chain} label={t('Loading the replies')}>
        {(value) => <Turns chain={value} onClose={onClose} />}
      </LoadedView>
    </Dialog>
  );
}

function Turns({ chain: { root, turns, isCut }, onClose }: { chain: Chain; onClose: () => void }) {
  const used = turns.flatMap(({ reply }) => reply?.usage ?? []);
  return (
    <div className="ui-wide">
      <p className="ui-about">{t('It began with a message of {name}.', { name: shownName(root.sender) })}</p>
      <ol className="ui-stack">
        {turns.map((turn, at) => (
          <li key={turn.reply?.id ?? `${turn.agent} ${at}`} className="ui-beside">
            <Turn turn={turn} onClose={onClose} />
          </li>
        ))}
      </ol>
      {used.length === 0 ? null : (
        <p className="ui-about">
          {t('Together: {read, number} tokens read, {written, number} written.', {
            read: used.reduce((sum, { input_tokens }) => sum + input_tokens, 0),
            written: used.reduce((sum, { output_tokens }) => sum + output_tokens, 0),
          })}
        </p>
      )}
      {isCut ? <p className="ui-about">{t('Later replies are not in this list.')}</p> : null}
    </div>
  );
}

function Turn({ turn: { agent, asker, reply }, onClose }: { turn: ChainTurn; onClose: () => void }) {
  const navigate = useNavigate();
  const { store, may } = useSession();
  const [nameOfAgent = agent] = useNamesOf([agent]);
  const left = useNamesOf(reply?.left_out?.agents.slice(0, NAMED) ?? none);
  const account = reply?.sender ?? store.account(agent).get();
  const name = account ? shownName(account) : nameOfAgent;
  const open = ({ id, conversation_id, channel_id, thread_root_id }: Message) => {
    navigate(chatRoute(conversation_id, { channelId: channel_id, threadRootId: thread_root_id, messageId: id }));
    onClose();
  };
  return (
    <>
      <Avatar name={account?.display_name ?? agent} username={agent} kind="agent" url={account?.avatar_url} size={28} />
      <div className="ui-texts">
        {reply ? (
          <button type="button" className="ui-words ui-name ui-underline" onClick={() => open(reply)}>
            <bdi>{name}</bdi>
          </button>
        ) : (
          <span className="ui-name">
            <bdi>{name}</bdi>
          </span>
        )}
        <span className="ui-note">{t('Asked by {name}', { name: shownName(asker) })}</span>
        {reply ? <ReplyFacts message={{ ...reply, key: reply.id }} isLine /> : null}
        <span className="ui-note">{stateText(reply, left, may('setAgentKey'))}</span>
      </div>
    </>
  );
}

/** How a turn ended, and which agents it did not reach (`left`); '' for a complete reply. */
function stateText(reply: Message | null, left: readonly string[], maySetKeys: boolean): string {
  if (!reply) return t('Hasn’t answered');
  const { status, finish_reason, left_out } = reply;
  if (status === 'streaming') return t('Is answering');
  const note = noteOf(status, finish_reason ?? '', maySetKeys)?.text ?? '';
  const silent = left_out ? leftOutText(left_out.limit, firstOf(left, NAMED, left_out.count)) : '';
  return [note, silent].filter((text) => text !== '').join(' ');
}
