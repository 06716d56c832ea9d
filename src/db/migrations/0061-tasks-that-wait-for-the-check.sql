-- A request of one bot made the rewards of all other bots wait. Now a task waits only if it was shown at or after the request.
COMMENT ON TABLE human_check_requests IS
  'Suspicious users who were led to the human check. The rewards of tasks that were first shown then or later wait until the user passes.';
