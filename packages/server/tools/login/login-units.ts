import type { UnitCall } from '../../commits/unit-call.ts';
import { everything, internalUnit } from '../../commits/unit-locks.ts';
import { idText } from '../../core/ids.ts';
import { accountByKey, type AccountRow } from '../../store/accounts.ts';
import {
  claimToolLogin,
  claimToolRefresh,
  dropToolLogin,
  dropToolTokens,
  putToolCredential,
  putToolTokens,
  toolLoginOf,
  toolServerByKey,
  type ToolServerRow,
} from '../../store/tool-servers.ts';

interface Place {
  serverKey: number;
  accountKey: number;
}

/** How long a node may take for fresh tokens before another one tries. */
const REFRESH_MS = 30_000;

/** What follows when an account has signed in to a server, in the same unit. */
type SignedIn = (call: UnitCall, server: ToolServerRow, account: AccountRow) => Promise<void>;

export const toolLoginUnits = (signedIn: SignedIn) => ({
  /** Whether a login may be redeemed: once, whoever brings its code back twice (TOOL-21). */
  claimToolLogin: internalUnit(
    { locks: everything },
    async ({ tx, now }: UnitCall, { state }: { state: string }): Promise<boolean> =>
      (await tx.run(claimToolLogin, Buffer.from(state, 'hex'), now)) > 0,
  ),
  /** Stores what a login gave. False if it has expired, was completed already, or the server was changed meanwhile. */
  endToolLogin: internalUnit(
    { locks: everything },
    async (call: UnitCall, given: { state: string; origin: string; sealed: string }): Promise<boolean> => {
      const { tx, now } = call;
      const hash = Buffer.from(given.state, 'hex');
      const login = await tx.get(toolLoginOf, hash);
      await tx.run(dropToolLogin, hash);
      const server = login && login.expires_at > now ? await tx.get(toolServerByKey, login.server_key) : undefined;
      if (!login || server?.auth !== 'oauth' || new URL(server.url).origin !== given.origin) return false;
      const { account_key: accountKey } = login;
      const generation = idText(call.newId());
      const { key, agent_key: agentKey } = server;
      await tx.run(putToolCredential, key, accountKey, agentKey, given.origin, given.sealed, null, generation);
      const account = await tx.get(accountByKey, accountKey);
      if (account) await signedIn(call, server, account);
      return true;
    },
  ),
  /** Whether this node is the one that asks for fresh tokens: two at once would end the login (TOOL-23). */
  claimToolRefresh: internalUnit(
    { locks: everything },
    async ({ tx, now }: UnitCall, { serverKey, accountKey, former }: Place & { former: string }): Promise<boolean> =>
      (await tx.run(claimToolRefresh, serverKey, accountKey, former, now, now + REFRESH_MS)) > 0,
  ),
  /** Stores fresh tokens; null: the server has ended the login. */
  endToolRefresh: internalUnit(
    { locks: everything },
    async ({ tx }: UnitCall, given: Place & { former: string; sealed: string | null }): Promise<void> => {
      const { serverKey, accountKey, former, sealed } = given;
      if (sealed === null) await tx.run(dropToolTokens, serverKey, accountKey, former);
      else await tx.run(putToolTokens, serverKey, accountKey, former, sealed);
    },
  ),
});
