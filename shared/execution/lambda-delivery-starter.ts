import type { LambdaClient } from "@aws-sdk/client-lambda";
import type { Ids } from "../domain/clock.ts";
import { type DeliveryJob, deliveryPayload } from "../domain/webhook/delivery/delivery.ts";
import type { DeliveryStarter } from "../domain/webhook/delivery/queue-send.ts";
import { LambdaHelper } from "./lambda-helper.ts";

export interface LambdaDeliveryStarterOptions {
  readonly client: Pick<LambdaClient, "send">;
  /** The function that begins attempts, as an ARN or a name. */
  readonly sender: string;
  readonly ids: Pick<Ids, "uuid7">;
}

export class LambdaDeliveryStarter implements DeliveryStarter {
  readonly #sender: LambdaHelper;
  readonly #ids: Pick<Ids, "uuid7">;

  constructor({ client, sender, ids }: LambdaDeliveryStarterOptions) {
    this.#sender = new LambdaHelper({ client, functionName: sender });
    this.#ids = ids;
  }

  async start(job: DeliveryJob): Promise<void> {
    await this.#sender.start({ ...deliveryPayload(job), start_id: this.#ids.uuid7() });
  }
}
