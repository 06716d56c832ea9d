-- The audit log of operators.

CREATE TABLE operator_actions (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  operator_id bigint NOT NULL,
  action      text NOT NULL,
  subject     text NOT NULL,
  details     jsonb NOT NULL,
  at          timestamptz NOT NULL
);
COMMENT ON TABLE operator_actions IS
  'Every decision of an operator, inserted in the transaction of the decision. Append-only.';
COMMENT ON COLUMN operator_actions.operator_id IS 'The operator''s Telegram id.';
COMMENT ON COLUMN operator_actions.action IS 'Such as order.approved.';
COMMENT ON COLUMN operator_actions.subject IS 'Such as order:7.';
CREATE INDEX operator_actions_subject ON operator_actions (subject, id DESC); -- the decisions about one subject
CREATE INDEX operator_actions_action ON operator_actions (action, id DESC);   -- one kind of decision, which can be rare
CREATE TRIGGER operator_actions_append_only BEFORE UPDATE OR DELETE ON operator_actions
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
