import { type RequestMessage, type TunnelTransfer, tunnelBodyBytesMax } from "../contract/tunnel.ts";
import { splitBody } from "../contract/tunnel-frames.ts";
import type { Clock } from "../domain/clock.ts";
import { DomainError } from "../domain/errors.ts";
import type { FileStore } from "../domain/file-store.ts";
import type { DriverRequest } from "../domain/tunnel/driver-channel.ts";
import { encodeMessage, MessageTooLarge } from "./message-codec.ts";

/** Presigned addresses outlive the request by this much, because clocks differ. */
const transferGraceSeconds = 30;

export interface RequestMessagesDeps {
  readonly files: Pick<FileStore, "tunnelKey" | "presignGet" | "presignPut" | "put">;
  readonly clock: Clock;
}

export interface RequestEnvelope {
  readonly id: string;
  readonly replyTo: string;
  readonly deadlineMs: number;
  readonly uploadKey: string;
  /** The id of the API's request, for the driver's log. */
  readonly trace: string;
}

/** A body that does not fit messages goes through the bucket. @throws {DomainError} `payload_too_large` */
export async function buildRequestMessages(
  deps: RequestMessagesDeps,
  request: DriverRequest,
  envelope: RequestEnvelope,
): Promise<readonly string[]> {
  const expiresInSeconds = Math.ceil((envelope.deadlineMs - deps.clock.now()) / 1_000) + transferGraceSeconds;
  const first: FirstPartFields = {
    headers: { ...request.headers },
    trace: envelope.trace,
    ...(request.largeResponse && { upload: await uploadPlace(deps, envelope.uploadKey, expiresInSeconds) }),
  };
  if (request.bodyKey !== undefined) {
    const download = await downloadOf(deps, request.bodyKey, expiresInSeconds);
    return encodeParts(request, envelope, { ...first, download }, new Uint8Array());
  }
  const body = request.body ?? new Uint8Array();
  if (body.byteLength <= tunnelBodyBytesMax) {
    const messages = tryEncodeParts(request, envelope, first, body);
    if (messages) return messages;
  }
  const key = deps.files.tunnelKey(request.organizationId, `${envelope.id}-request`);
  await deps.files.put(key, body, request.headers["content-type"] ?? "application/octet-stream");
  const download = await downloadOf(deps, key, expiresInSeconds);
  return encodeParts(request, envelope, { ...first, download }, new Uint8Array());
}

type FirstPartFields = Pick<RequestMessage, "headers" | "download" | "upload" | "trace">;

async function uploadPlace(
  deps: RequestMessagesDeps,
  key: string,
  expiresInSeconds: number,
): Promise<TunnelTransfer> {
  const { url, headers } = await deps.files.presignPut(key, { expiresInSeconds, isBare: true });
  return { url, headers: { ...headers } };
}

async function downloadOf(
  deps: RequestMessagesDeps,
  key: string,
  expiresInSeconds: number,
): Promise<TunnelTransfer> {
  const { url, headers } = await deps.files.presignGet(key, { expiresInSeconds });
  return { url, headers: { ...headers } };
}

function tryEncodeParts(
  request: DriverRequest,
  envelope: RequestEnvelope,
  first: FirstPartFields,
  body: Uint8Array,
): readonly string[] | undefined {
  const parts = splitBody(body);
  try {
    return parts.map((bytes, part) =>
      encodeMessage({
        type: "request",
        id: envelope.id,
        reply_to: envelope.replyTo,
        method: request.method,
        path: request.path,
        query: request.query,
        deadline: envelope.deadlineMs,
        action_id: request.actionId,
        repeat: request.repeat,
        part,
        parts: parts.length,
        ...(part === 0 && first),
        ...(bytes.byteLength > 0 && { body: Buffer.from(bytes).toString("base64") }),
      }),
    );
  } catch (error) {
    if (error instanceof MessageTooLarge) return undefined;
    throw error;
  }
}

function encodeParts(
  request: DriverRequest,
  envelope: RequestEnvelope,
  first: FirstPartFields,
  body: Uint8Array,
): readonly string[] {
  const messages = tryEncodeParts(request, envelope, first, body);
  if (messages) return messages;
  throw new DomainError("payload_too_large", "path, query and headers do not fit a message of the tunnel");
}
