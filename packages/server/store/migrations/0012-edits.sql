-- What runs for one agent and human, counted without reading what runs for others: a retry wants room there.
CREATE INDEX turns_streaming ON turns (agent_key, human_key, key) WHERE runner = 'server' AND state = 'streaming';
