-- One kind of decision out of the log, newest first: without it a rare kind is looked for through the whole log.
CREATE INDEX operator_actions_action ON operator_actions (action, id DESC);
