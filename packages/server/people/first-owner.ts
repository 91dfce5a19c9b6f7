import type { Sql } from '../store/sql.ts';
import { anyPerson } from '../store/account-roles.ts';

/** Whether no person has ever had an account: the next one becomes the owner (ROLE-8). */
export const isFirstPerson = async (tx: Sql): Promise<boolean> => (await tx.get(anyPerson)) === undefined;
