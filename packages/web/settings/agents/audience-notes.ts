import { t } from '../../words/t.ts';

/** What stands beside the name of an agent that one made; nothing for the usual audience. */
export const audienceNotes = { private: t('only you'), groups: undefined, public: t('public') } as const;
