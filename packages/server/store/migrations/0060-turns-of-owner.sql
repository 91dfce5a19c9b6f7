-- The owner of the agent, whose agents' turns share a limit; 0 for the guide, which has none.
ALTER TABLE turns ADD COLUMN owner_key {{int}} NOT NULL DEFAULT 0;
UPDATE turns SET owner_key = COALESCE((SELECT parent_key FROM accounts WHERE accounts.key = turns.agent_key), 0)
  WHERE runner = 'server' AND state IN ('queued', 'streaming');
-- Counts the running turns of an owner's agents.
CREATE INDEX turns_running_of_owner ON turns (owner_key) WHERE runner = 'server' AND state = 'streaming';
-- Finds the waiting turns of an owner's agents, human by human.
CREATE INDEX turns_waiting_of_owner ON turns (owner_key, human_key, key) WHERE runner = 'server' AND state = 'queued';
