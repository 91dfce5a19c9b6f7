import type { Account } from '@parley/protocol';
import { read } from '../../call.ts';
import { RawJson } from '../../json.ts';
import { accountJson } from '../../store/accounts.ts';

export default read('getMe', async ({ tx, caller }) => new RawJson<Account>(await accountJson(tx, caller.key)));
