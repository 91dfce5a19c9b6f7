-- Voice messages that are being transcribed, on any node. A row is deleted with its request; one that a crash left counts
-- no more after expires_at.
CREATE TABLE transcriptions (
  message_id {{blob}} PRIMARY KEY,
  human_key {{int}} NOT NULL,
  agent_key {{int}} NOT NULL,
  attempt {{blob}} NOT NULL,
  expires_at {{int}} NOT NULL
);
CREATE INDEX transcriptions_human ON transcriptions (human_key);
CREATE INDEX transcriptions_agent ON transcriptions (agent_key);
