import { Type } from 'typebox';
import { EVENT_TYPES, type EventType } from '../events/index.ts';
import { MAX_URL_LENGTH } from './endpoint.ts';
import { WEBHOOK_FORMATS, type WebhookFormat } from './format.ts';

const Time = Type.String({ format: 'date-time' });
const NullableTime = Type.Union([Time, Type.Null()]);
const EventName = Type.Unsafe<EventType>({ type: 'string', enum: EVENT_TYPES });
const EventId = Type.String({ pattern: '^evt_[0-9a-f]{32}$' });

export const WebhookParams = Type.Object({ id: Type.String({ pattern: '^[1-9][0-9]{0,14}$' }) });

export const CreateWebhookBody = Type.Object({
  url: Type.String({ maxLength: MAX_URL_LENGTH, description: 'Where the events are posted to: http or https.' }),
  events: Type.Array(EventName, { minItems: 1, maxItems: 50 }),
  format: Type.Optional(
    Type.Unsafe<WebhookFormat>({
      type: 'string',
      enum: WEBHOOK_FORMATS,
      description: 'The form of the messages: ours (the default), or that of another network.',
    }),
  ),
});

const webhookFields = {
  webhook_id: Type.Integer(),
  url: Type.String(),
  events: Type.Array(Type.String({ enum: [...EVENT_TYPES] })),
  format: Type.String({ enum: [...WEBHOOK_FORMATS], description: 'The form of the messages.' }),
  is_enabled: Type.Boolean(),
  disabled_reason: Type.Union([Type.String({ enum: ['gone', 'failing'] }), Type.Null()], {
    description: '`gone`: the receiver answered 410. `failing`: it failed for 120 hours without a break.',
  }),
  disabled_at: NullableTime,
  failing_since: Type.Union([Time, Type.Null()], { description: 'The first failure after the last success.' }),
  previous_secret_expires_at: Type.Union([Time, Type.Null()], { description: 'Until then two secrets sign.' }),
  created_at: Time,
};

export const WebhookAnswer = Type.Object(webhookFields, { title: 'Webhook' });
export const WebhookWithSecretAnswer = Type.Object({
  ...webhookFields,
  secret: Type.String({ description: 'Shown here and never again.' }),
});
export const WebhooksAnswer = Type.Object({ webhooks: Type.Array(WebhookAnswer) });

export const TestAnswer = Type.Object({ delivery_id: EventId });

export const DEFAULT_PAGE = 20;

export const DeliveriesQuery = Type.Object({
  limit: Type.Optional(Type.String({ pattern: '^([1-9][0-9]?|100)$', description: '1 to 100, 20 if absent.' })),
  cursor: Type.Optional(EventId),
});

export const DeliveriesAnswer = Type.Object({
  deliveries: Type.Array(
    Type.Object({
      delivery_id: Type.String({ description: "The event's id, which is the webhook-id header of its messages." }),
      type: Type.String(),
      sequence: Type.Integer(),
      status: Type.String({ enum: ['pending', 'sending', 'delivered', 'failed'] }),
      created_at: Time,
      next_attempt_at: NullableTime,
      delivered_at: NullableTime,
      payload: Type.String({ description: 'The JSON text that every attempt sends.' }),
      attempts: Type.Array(
        Type.Object({
          attempted_at: Time,
          duration_ms: Type.Integer(),
          status_code: Type.Union([Type.Integer(), Type.Null()]),
          error: Type.Union([Type.String(), Type.Null()]),
          response_headers: Type.Union([Type.String(), Type.Null()], { description: 'One `name: value` per line.' }),
          response: Type.Union([Type.String(), Type.Null()], { description: 'How the answer began.' }),
        }),
      ),
    }),
  ),
  next_cursor: Type.Union([Type.String(), Type.Null()]),
  has_more: Type.Boolean(),
});

export const ReplayBody = Type.Object({
  delivery_id: Type.Optional(EventId),
  since: Type.Optional(Type.String({ format: 'date-time', description: 'ISO 8601 with offset.' })),
  until: Type.Optional(Type.String({ format: 'date-time', description: 'The end of the range; absent: now.' })),
});

export const ReplayAnswer = Type.Object({ replayed: Type.Integer() });
