import { createHash, randomUUID } from "node:crypto";
import * as z from "zod";
import { AwsError, notImplemented } from "../aws-error.ts";
import { BoundedList } from "../bounded-list.ts";
import { jsonAnswer, parseJsonBody, presentJsonError } from "../json-protocol.ts";
import { localArn } from "../local-account.ts";
import type { Answer, AwsService, ServiceCall } from "../service-call.ts";

const messagesMax = 1_000;

/** Source: https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-messages.html */
const messageBytesMax = 1_048_576;

const SendMessageRequest = z.object({ QueueUrl: z.string(), MessageBody: z.string().min(1) });

export interface QueuedMessage {
  readonly messageId: string;
  readonly queueName: string;
  readonly body: string;
  readonly at: string;
}

/** Messages are only kept to be read: an on-failure destination needs no more. */
export class SqsService implements AwsService {
  readonly name = "sqs";
  readonly messages = new BoundedList<QueuedMessage>(messagesMax);

  handle(call: ServiceCall): Answer {
    if (call.operation !== "SendMessage") throw notImplemented(`SQS's ${call.operation}`);
    const parsed = SendMessageRequest.safeParse(parseJsonBody(call.body));
    if (!parsed.success)
      throw new AwsError(400, "MissingParameter", "QueueUrl and MessageBody are required.");
    const { QueueUrl: queueUrl, MessageBody: body } = parsed.data;
    const queueName = queueUrl.split("/").at(-1) ?? "";
    call.authorize([{ action: "sqs:SendMessage", resource: localArn("sqs", queueName) }]);
    const message = this.send(queueName, body);
    const md5 = createHash("md5").update(body).digest("hex");
    return jsonAnswer({ MessageId: message.messageId, MD5OfMessageBody: md5 }, "1.0");
  }

  send(queueName: string, body: string): QueuedMessage {
    if (Buffer.byteLength(body) > messageBytesMax) {
      throw new AwsError(
        400,
        "InvalidParameterValue",
        `Message must be shorter than ${messageBytesMax} bytes.`,
      );
    }
    const message = { messageId: randomUUID(), queueName, body, at: new Date().toISOString() };
    this.messages.add(message);
    return message;
  }

  present(error: AwsError): Answer {
    return presentJsonError(error, "com.amazonaws.sqs", "1.0");
  }
}
