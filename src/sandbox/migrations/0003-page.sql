-- Pictures that bots sent, so that the sandbox's page can show them. Only the newest are kept.
CREATE TABLE sandbox.tg_files (
  file_number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  type text NOT NULL,
  bytes bytea NOT NULL
);
