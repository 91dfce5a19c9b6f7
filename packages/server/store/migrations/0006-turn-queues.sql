-- Finds and counts the waiting turns of one agent and human, without reading other turn queues.
CREATE INDEX turns_queued ON turns (agent_key, human_key, key) WHERE runner = 'server' AND state = 'queued';
CREATE INDEX streams_agent ON streams (agent_key);
