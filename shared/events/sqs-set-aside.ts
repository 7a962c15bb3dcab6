import { SendMessageCommand, type SQSClient } from "@aws-sdk/client-sqs";
import type { SetAside } from "../domain/stream/failed-records.ts";

export interface SqsSetAsideOptions<R> {
  readonly client: Pick<SQSClient, "send">;
  readonly queueUrl: string;
  /** Leaves out data that must not be in a queue. */
  readonly reduce: (record: R) => unknown;
}

/** Each message is the event that a replay sends to the function. */
export class SqsSetAside<R> implements SetAside<R> {
  readonly #options: SqsSetAsideOptions<R>;

  constructor(options: SqsSetAsideOptions<R>) {
    this.#options = options;
  }

  async put(record: R): Promise<void> {
    const { client, queueUrl: QueueUrl, reduce } = this.#options;
    const MessageBody = JSON.stringify({ Records: [reduce(record)] });
    await client.send(new SendMessageCommand({ QueueUrl, MessageBody }));
  }
}
