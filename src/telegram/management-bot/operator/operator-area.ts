import { Area } from '../bot-context.ts';
import type { ManagementBotDeps } from '../deps.ts';

export function operatorArea(_deps: ManagementBotDeps): Area {
  return new Area();
}
