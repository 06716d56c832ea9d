import type { Order } from '../../orders/index.ts';
import type { ShownTask } from '../task.ts';

/** A task to show: the task, the order that describes it, and where the user is sent. */
export interface SponsorTask {
  readonly task: ShownTask;
  readonly order: Order;
  readonly link: string;
  /** In whole percent, of an order that only its advertiser's side can check. */
  readonly approvalPercent?: number | undefined;
}
