/** The display name of a deleted person and of its agents, also where `is_deleted` is not sent (PEOPLE-9). */
export const DELETED_NAME = 'Deleted account';
