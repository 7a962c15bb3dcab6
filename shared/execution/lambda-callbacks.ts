import { type LambdaClient, SendDurableExecutionCallbackSuccessCommand } from "@aws-sdk/client-lambda";
import type { Callbacks } from "../domain/durable/durable.ts";

export interface LambdaCallbacksOptions {
  readonly client: Pick<LambdaClient, "send">;
}

/** Nobody waits under an id that Lambda does not know, has completed, or has let time out. */
const overNames: ReadonlySet<string> = new Set([
  "CallbackTimeoutException",
  "InvalidParameterValueException",
  "ResourceNotFoundException",
]);

/** Source: https://docs.aws.amazon.com/lambda/latest/api/API_SendDurableExecutionCallbackSuccess.html */
export class LambdaCallbacks implements Callbacks {
  readonly #client: Pick<LambdaClient, "send">;

  constructor({ client }: LambdaCallbacksOptions) {
    this.#client = client;
  }

  async complete(callbackId: string): Promise<void> {
    try {
      await this.#client.send(new SendDurableExecutionCallbackSuccessCommand({ CallbackId: callbackId }));
    } catch (cause) {
      if (!(cause instanceof Error && overNames.has(cause.name))) throw cause;
    }
  }
}
