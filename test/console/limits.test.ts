import assert from 'node:assert/strict';
import { it } from 'node:test';
import { useService } from '../api/use-service.ts';
import { readable } from './visitor.ts';

const service = useService({ ADDRESS_RATE_LIMIT_PER_SECOND: '1', ADDRESS_RATE_LIMIT_BURST: '20' });

it('an address that requests pages too fast gets a page with status 429', async () => {
  const answers = await Promise.all(
    Array.from({ length: 60 }, () => fetch(`${service.url}/console`, { headers: { 'accept-language': 'ru' } })),
  );
  const refused = answers.filter(({ status }) => status === 429);
  assert.ok(refused.length >= 30, `${refused.length} refused`);
  const [first] = refused;
  assert.ok(first !== undefined);
  assert.match(first.headers.get('retry-after') ?? '', /^\d+$/);
  assert.match(first.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/);
  assert.match(readable(await first.text()), /Слишком часто/);
});
