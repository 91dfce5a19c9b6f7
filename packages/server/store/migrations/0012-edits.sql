-- Counts the running turns of one agent and human without reading other turn queues; a retry needs a free place.
CREATE INDEX turns_streaming ON turns (agent_key, human_key, key) WHERE runner = 'server' AND state = 'streaming';
