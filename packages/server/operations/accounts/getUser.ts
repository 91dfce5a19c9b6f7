import { read } from '../../call.ts';
import { accountRecord, requireAccount } from '../../store/accounts.ts';

export default read('getUser', async ({ tx }, { username }) => accountRecord(await requireAccount(tx, username)));
