// Accounts and their sessions: signing up, in and out, finding accounts.
import { read } from '../handler.ts';
import { RawJson } from '../../core/json.ts';
import { accountJson } from '../../rendering/accounts.ts';

export default read('getMe', async (call) => new RawJson(await accountJson(call, call.caller.key)));
