import { InvokeCommand, type LambdaClient } from "@aws-sdk/client-lambda";

export interface LambdaHelperOptions {
  readonly client: Pick<LambdaClient, "send">;
  readonly functionName: string;
}

/** Starts further invocations of a function, which nobody waits for. */
export class LambdaHelper {
  readonly #options: LambdaHelperOptions;

  constructor(options: LambdaHelperOptions) {
    this.#options = options;
  }

  async start(work: object): Promise<void> {
    const { client, functionName: FunctionName } = this.#options;
    const Payload = JSON.stringify(work);
    await client.send(new InvokeCommand({ FunctionName, InvocationType: "Event", Payload }));
  }
}
