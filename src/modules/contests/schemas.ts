import { Type } from 'typebox';

export const ContestsAnswer = Type.Object({
  contests: Type.Array(
    Type.Object({
      contest_id: Type.Integer(),
      name: Type.String(),
      status: Type.String({ description: 'scheduled, running, finished or cancelled.' }),
      metric: Type.String({ description: '`settled_revenue`: rewards settled in the period.' }),
      starts_at: Type.String(),
      ends_at: Type.String(),
      remaining_seconds: Type.Integer(),
      prizes: Type.Array(Type.Number({ description: 'Rubles.' }), { description: 'By place, the first first.' }),
      participants: Type.Integer(),
      rank: Type.Union([Type.Integer(), Type.Null()], { description: 'Your place; none without a subscription.' }),
      score: Type.Integer({ description: 'Your settled subscriptions of the period that count.' }),
      revenue: Type.Number({ description: 'Their rewards in rubles: what ranks are by.' }),
      prize: Type.Union([Type.Number(), Type.Null()], { description: 'What you won; null until ranks are frozen.' }),
    }),
  ),
});
