import type { FieldSpec } from '@parley/protocol';
import type { ToolServerRow } from '../store/tool-servers.ts';

/** What is known of the server of a tool where the tool is offered. */
export type OfferingServer = Pick<ToolServerRow, 'name' | 'url' | 'identity' | 'auth' | 'approval'>;

/** A tool that a turn may offer to its model. */
export interface OfferedTool {
  /** The server, or what stands for it with the service's own tools. */
  server: OfferingServer;
  /** The tool's own name. */
  tool: string;
  /** The name under which the model is offered it (TOOL-13). */
  modelName: string;
  title?: string;
  description: string;
  /** A JSON Schema of type `object`. */
  inputSchema: object;
  /** False only if the owner has listed it so (TOOL-11). */
  writes: boolean;
  /** Of everything that the server says of it, as it was pinned. */
  definitionHash: string;
  /** Whether its results may contain what strangers have written. False only if the owner has listed the tool. */
  isOpenWorld: boolean;
  /** The asker, or the owner, has to sign in before a call can run; the definition is the pinned one. */
  needsLogin: boolean;
  /** Which value of the credential a call would use now; null without one. */
  credentialGeneration: string | null;
}

export interface Offer {
  tools: OfferedTool[];
  /** Servers whose tools are not offered, and why, in words for people. */
  faults: { server: string; why: string }[];
}

/** What became of a call, as the ledger needs it (TOOL-15). */
export type ToolOutcome =
  /** The server has answered. `text`: at most 64 KiB. */
  | { status: 'done' | 'failed'; text: string; structured?: unknown }
  /** The request may have left, and no answer came: the tool may have run. */
  | { status: 'unknown'; why: string }
  /** A credential is missing, or the server refuses it: nothing was executed. */
  | { status: 'login' }
  /** The tool asks its asker something. `requestState` goes back with the answer. */
  | { status: 'input'; form: FieldSpec[]; text: string; requestState: string };

/** What a tool asks its asker; `state` goes back with the answer. */
export interface QuestionOfTool {
  form: FieldSpec[];
  text: string;
  state: string;
}

/** The answer to a tool's question, which goes with the same call again. */
export interface ToolAnswer {
  requestState: string;
  action: 'accept' | 'decline' | 'cancel';
  fields?: Readonly<Record<string, unknown>>;
}

export interface ToolCall {
  /** As it is stored now. */
  server: ToolServerRow;
  /** The tool's own name. */
  tool: string;
  arguments: object;
  /** As whoever approved it was told; a call that only reads may be sent again (TOOL-15). */
  writes: boolean;
  /** The same in every attempt of the call; the server sees it as `_meta["parley/call_id"]`. */
  callId: string;
  askerKey: number;
  /** The definition that was shown to whoever approved the call; another one is not called. */
  definitionHash?: string;
  /** The credential that was there then; another one is not used. Undefined: whatever there is now. */
  credentialGeneration?: string | null;
  answer?: ToolAnswer;
}
