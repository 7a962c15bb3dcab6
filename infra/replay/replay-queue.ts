import { InvokeCommand, type LambdaClient } from "@aws-sdk/client-lambda";
import {
  DeleteMessageCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
} from "@aws-sdk/client-sqs";

export interface ReplayInput {
  readonly sqs: Pick<SQSClient, "send">;
  readonly lambda: Pick<LambdaClient, "send">;
  readonly queueUrl: string;
  readonly functionName: string;
}

export interface Replayed {
  readonly done: number;
  readonly failed: number;
  /** Messages that only a person can handle stay in the queue: Lambda's notes of lost records, and executions' payloads. */
  readonly notes: readonly string[];
}

/** The function may not take longer. */
const visibilitySeconds = 300;

export async function replayQueue(input: ReplayInput): Promise<Replayed> {
  const seen = new Set<string>();
  const notes: string[] = [];
  let [done, failed] = [0, 0];
  for (;;) {
    const received = (await receive(input)).filter(({ MessageId: id = "" }) => !seen.has(id));
    if (received.length === 0) return { done, failed, notes };
    for (const { MessageId: id = "" } of received) seen.add(id);
    const outcomes = await Promise.all(received.map((message) => replay(input, message)));
    done += outcomes.filter((outcome) => outcome === "done").length;
    failed += outcomes.filter((outcome) => outcome === "failed").length;
    for (const outcome of outcomes) if (typeof outcome === "object") notes.push(outcome.note);
  }
}

async function receive({ sqs, queueUrl }: ReplayInput): Promise<readonly Message[]> {
  const command = new ReceiveMessageCommand({
    QueueUrl: queueUrl,
    MaxNumberOfMessages: 10,
    VisibilityTimeout: visibilitySeconds,
    // A wait queries all of the queue's servers.
    WaitTimeSeconds: 2,
  });
  return (await sqs.send(command)).Messages ?? [];
}

type Outcome = "done" | "failed" | { readonly note: string };

async function replay(
  { sqs, lambda, queueUrl, functionName }: ReplayInput,
  message: Message,
): Promise<Outcome> {
  const { Body: body = "", ReceiptHandle } = message;
  const event = JSON.parse(body) as { readonly Records?: unknown; readonly start_id?: unknown };
  const isStream = event.Records !== undefined;
  if (!isStream && event.start_id === undefined) return { note: body };
  const Payload = isStream ? JSON.stringify({ ...event, is_replay: true }) : body;
  const answer = await lambda.send(new InvokeCommand({ FunctionName: functionName, Payload }));
  if (answer.FunctionError !== undefined) return "failed";
  if (isStream) {
    const { batchItemFailures } = JSON.parse(new TextDecoder().decode(answer.Payload)) as {
      readonly batchItemFailures: readonly unknown[];
    };
    if (batchItemFailures.length > 0) return "failed";
  }
  await sqs.send(new DeleteMessageCommand({ QueueUrl: queueUrl, ReceiptHandle }));
  return "done";
}
