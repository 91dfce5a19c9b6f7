-- What people see of calls that were made for them or with their account, and take back of what they have allowed.
-- owner_key: the owner of the agent, if the call uses the owner's account. grant_id: the earlier answer that allowed the
-- call; NULL if none was needed, or a person was asked.
ALTER TABLE tool_calls ADD COLUMN owner_key {{int}};
ALTER TABLE tool_calls ADD COLUMN grant_id {{blob}};
UPDATE tool_calls SET owner_key = (SELECT a.parent_key FROM accounts a WHERE a.key = tool_calls.agent_key)
  WHERE identity = 'owner';
DROP INDEX tool_calls_of_human;
CREATE INDEX tool_calls_of_asker ON tool_calls (human_key, created_at, key, state, agent_key, server);
CREATE INDEX tool_calls_of_owner ON tool_calls (owner_key, created_at, key, state, agent_key, server)
  WHERE owner_key IS NOT NULL;

-- No release has stored grants before: what development versions have stored is asked once more.
DELETE FROM tool_grants;
ALTER TABLE tool_grants ADD COLUMN id {{blob}};
-- When it last allowed a call.
ALTER TABLE tool_grants ADD COLUMN used_at {{int}};
CREATE UNIQUE INDEX tool_grants_id ON tool_grants (id);
