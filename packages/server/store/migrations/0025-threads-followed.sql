-- Since when an agent follows threads of its group (DISPATCH-18); null: it does not.
ALTER TABLE participants ADD COLUMN follows_from {{int}};
-- 1: the firing begins or continues an agent's following of its thread.
ALTER TABLE turns ADD COLUMN follows {{int}} NOT NULL DEFAULT 0;
-- Finds the agents that follow a thread.
CREATE INDEX turns_followed ON turns (thread_key, agent_key, created_at) WHERE follows = 1;
