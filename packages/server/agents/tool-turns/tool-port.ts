// agents/tool-turns/: replies of agents that call tools: their steps, the ledger of their calls, and what they wait for.
import { hash } from 'node:crypto';
import type { PartOf } from '@parley/protocol';
import type { AccountRow } from '../../store/accounts.ts';
import type { ToolServerRow } from '../../store/tool-servers.ts';
import type { TurnRow } from '../../store/turns.ts';
import type { CallEvent, CallState } from '../../rules/call-states.ts';
import type { Offer, OfferedTool, QuestionOfTool } from '../../tools/outcomes.ts';
import type { TurnPlace } from './step-units.ts';
import type { TurnCall } from './turn-calls.ts';

/** Where tools come from: the servers that owners have set, and the service itself. */
export interface ToolSource {
  /** What a turn of an agent may use of it now. */
  offered(agent: AccountRow, askerKey: number, signal: AbortSignal): Promise<Offer>;
  /** Carries out an approved call as the ledger holds it. Null if it must not be: its turn has ended, or another node runs it. */
  send(sent: SentCall, signal: AbortSignal): Promise<CallEnd | null>;
}

/** An approved call, and what its source may do with the ledger. */
export interface SentCall {
  call: TurnCall;
  turn: TurnRow;
  place: TurnPlace;
  /** Stores that the call is about to leave this service; false if it must not (CALL-3). */
  begin: () => Promise<boolean>;
  /** Runs a unit until the store takes it, or the turn is stopped. */
  stored: <Value>(run: () => Promise<Value>) => Promise<Value>;
  /** Lists a passage among the citations of the reply; its number, null if the reply has no room for it (KNOW-11). */
  cite: (passage: Omit<PartOf<'citation'>, 'id' | 'offset' | 'type' | 'number'>) => number | null;
  /** Seals what the model is to get of the call. */
  seal: (result: string) => string;
}

/** How a call ended, or what it needs first. */
export type CallEnd =
  | {
      event: Extract<CallEvent, 'finish' | 'fail' | 'lose' | 'withdraw'>;
      result: string | null;
      /** The result has what strangers may have written, which only the result tells (CALL-8). */
      isOpenWorld?: boolean;
    }
  /** The unit of its effect has stored its end. */
  | { stored: CallState; result: string | null }
  | { needs: 'login' | QuestionOfTool }
  /** A decision about the call is open: it is sent again when people have decided. */
  | { needs: 'answer' };

/** What an answer about a call is bound to: if one of these differs, it is asked again (CALL-9). */
export interface Terms {
  /** Of the server's address, and how its calls are made. */
  server: string;
  definitionHash: string;
  /** Of the credential; empty without one. */
  generation: string;
  /** By the owner's word: `1` or `0`. */
  writes: string;
}

/** A hash of the address of a server, and of how its calls are made. */
export const hashOfServer = ({ url, identity, auth }: Pick<ToolServerRow, 'url' | 'identity' | 'auth'>): string =>
  hash('sha256', JSON.stringify([url, identity, auth]), 'base64url');

const textOf = ({ server, definitionHash, generation, writes }: Terms): string =>
  [server, definitionHash, generation, writes].join(' ');

export const termsOf = ({ server, definitionHash, credentialGeneration, writes }: OfferedTool): string =>
  textOf({
    server: hashOfServer(server),
    definitionHash,
    generation: credentialGeneration ?? '',
    writes: writes ? '1' : '0',
  });

/** What was shown of a call, which must be the same when it is sent. */
export function shownIn(terms: string): Terms {
  const [server = '', definitionHash = '', generation = '', writes = ''] = terms.split(' ');
  return { server, definitionHash, generation, writes };
}

/** The same terms with another credential: the one that the asker has just given. */
export const withCredential = (terms: string, generation: string): string => textOf({ ...shownIn(terms), generation });
