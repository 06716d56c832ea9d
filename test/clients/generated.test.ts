import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { GENERATED, generateApi, generateEvents } from '../../clients/typescript/generate.ts';
import { useService } from '../api/use-service.ts';

const service = useService();
const REPAIR = 'run: node clients/typescript/generate.ts <address of the service>/openapi.json';

test('the types of the client agree with /openapi.json of the service', async () => {
  const { body } = await service.sandbox.call('GET', '/openapi.json');
  assert.equal(await readFile(GENERATED.api, 'utf8'), generateApi(body), REPAIR);
});

test('the events of the client agree with the registry of events', async () => {
  assert.equal(await readFile(GENERATED.events, 'utf8'), generateEvents(), REPAIR);
});
