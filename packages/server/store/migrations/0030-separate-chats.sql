-- A direct chat beside the one of its pair: the pair of its accounts. direct_pair is null in it.
ALTER TABLE chats ADD COLUMN separate_pair TEXT;
-- Where the title of a separate chat comes from: 'question', 'asked' (the model was asked for a better one), 'agent' or
-- 'human'. Null without a title.
ALTER TABLE chats ADD COLUMN titled_by TEXT;
CREATE INDEX chats_separate ON chats (separate_pair, key) WHERE separate_pair IS NOT NULL;
-- 0: the agent gives no titles to separate chats; null means 1.
ALTER TABLE agent_config ADD COLUMN titles {{int}};
