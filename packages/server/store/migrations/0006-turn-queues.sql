-- What waits for one agent and human, in its order: found, and counted, without reading what waits for others.
CREATE INDEX turns_queued ON turns (agent_key, human_key, key) WHERE runner = 'server' AND state = 'queued';
CREATE INDEX streams_agent ON streams (agent_key);
