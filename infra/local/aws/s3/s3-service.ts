import { BodyTurns } from "../../lambda/body-turns.ts";
import { readTurnMs } from "../../lambda/limits.ts";
import type { AwsError } from "../aws-error.ts";
import type { Answer, AwsService, OperationSource, ServiceCall } from "../service-call.ts";
import { objectArn, requireBucket } from "./bucket.ts";
import { answerPreflight, type BucketCors, corsHeaders } from "./bucket-cors.ts";
import { listObjects } from "./list-objects.ts";
import type { ObjectStore } from "./object-store.ts";
import { putObject } from "./put-object.ts";
import { readObject, readTagging } from "./read-object.ts";
import { type S3Target, s3Operation, s3Target } from "./s3-request.ts";
import { textElement, xmlDocument } from "./xml.ts";

/** Addresses are path-style. Lifecycle rules and bucket policies are not applied. */
export class S3Service implements AwsService {
  readonly name = "s3";
  readonly streamsBody = true;
  readonly #store: ObjectStore;
  readonly #cors = new Map<string, BucketCors>();
  readonly #readTurns = new BodyTurns(readTurnMs);

  constructor(store: ObjectStore) {
    this.#store = store;
  }

  operationOf(request: OperationSource): string {
    return s3Operation(request);
  }

  allowOrigins(bucket: string, cors: BucketCors): void {
    this.#cors.set(bucket, cors);
  }

  preflight({ path, headers }: OperationSource): Answer {
    return answerPreflight(this.#cors.get(s3Target(path).bucket), headers);
  }

  async handle(call: ServiceCall): Promise<Answer> {
    const target = s3Target(call.path);
    const answer = await this.#perform(call, target);
    const allowed = corsHeaders(this.#cors.get(target.bucket), call.method, call.headers);
    return allowed === undefined ? answer : { ...answer, headers: { ...answer.headers, ...allowed } };
  }

  async #perform(call: ServiceCall, target: S3Target): Promise<Answer> {
    switch (call.operation) {
      case "PutObject":
        return await putObject(this.#store, call, target);
      case "GetObject":
        return await this.#getObject(call, target);
      case "HeadObject":
        return readObject(this.#store, call, target);
      case "GetObjectTagging":
        return readTagging(this.#store, call, target);
      case "DeleteObject":
        return await this.#deleteObject(call, target);
      default:
        return listObjects(this.#store, call, target);
    }
  }

  present(error: AwsError): Answer {
    const denied = error.code === "AccessDeniedException";
    return {
      status: denied ? 403 : error.status,
      headers: { "content-type": "application/xml" },
      body: xmlDocument(
        `<Error>${textElement("Code", denied ? "AccessDenied" : error.code)}${textElement("Message", error.message)}` +
          `${Object.entries(error.fields)
            .map(([name, value]) => textElement(name, String(value)))
            .join("")}</Error>`,
      ),
    };
  }

  /** The turn ends by itself: nothing tells when the caller has parsed what it reads. */
  async #getObject(call: ServiceCall, target: S3Target): Promise<Answer> {
    const answer = readObject(this.#store, call, target);
    if (answer.body !== undefined) await this.#readTurns.take(Number(answer.headers?.["content-length"]));
    return answer;
  }

  async #deleteObject(call: ServiceCall, { bucket, key }: S3Target): Promise<Answer> {
    call.authorize([{ action: "s3:DeleteObject", resource: objectArn({ bucket, key }) }]);
    requireBucket(this.#store, bucket);
    await this.#store.remove(bucket, key);
    return { status: 204 };
  }
}
