import { read } from '../handler.ts';
import { RawJson } from '../../core/json.ts';
import { accountJson } from '../../store/accounts.ts';

export default read('getMe', async ({ tx, caller }) => new RawJson(await accountJson(tx, caller.key)));
