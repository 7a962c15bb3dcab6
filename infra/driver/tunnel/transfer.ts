import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { TunnelTransfer } from "../../../shared/contract/tunnel.ts";
import { fileBytesMax } from "../../../shared/vocabulary/drivers.ts";
import { Refusal } from "../answer.ts";
import type { StreamBody } from "../desktop.ts";
import { TransferFailed, type TransferRules } from "./transfer-rules.ts";

const uploadAttempts = 3;

/** Other headers could change the request's meaning, or carry data elsewhere. */
const givenHeaders =
  /^(content-(length|md5|type)|if-none-match|x-amz-(checksum-[a-z0-9]+|sdk-checksum-algorithm|server-side-encryption[a-z-]*))$/;

function listedHeaders({ headers }: TunnelTransfer): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .map(([name, value]) => [name.toLowerCase(), value] as const)
      .filter(([name]) => givenHeaders.test(name)),
  );
}

function open(
  transfer: TunnelTransfer,
  method: string,
  headers: Record<string, string>,
  rules: TransferRules,
  signal: AbortSignal,
) {
  const { url, lookup } = rules.admit(transfer.url);
  const request = url.protocol === "https:" ? httpsRequest : httpRequest;
  return request(url, { method, headers, signal, lookup });
}

function responseOf(request: ReturnType<typeof open>): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once("response", resolve);
    request.once("error", (error: NodeJS.ErrnoException) => {
      const isOurs = error instanceof TransferFailed;
      reject(isOurs ? error : new TransferFailed(`the transfer failed: ${error.code ?? error.name}`, true));
    });
  });
}

function contentLengthOf(response: IncomingMessage): number | undefined {
  const header = response.headers["content-length"];
  return header === undefined ? undefined : Number(header);
}

export interface Download {
  readonly stream: Readable;
  readonly size: number | undefined;
}

/** @throws {TransferFailed} when the response is not 200; {@link Refusal} 413 above `fileBytesMax`. */
export async function openDownload(
  transfer: TunnelTransfer,
  rules: TransferRules,
  signal: AbortSignal,
): Promise<Download> {
  const request = open(transfer, "GET", listedHeaders(transfer), rules, signal);
  request.end();
  const response = await responseOf(request);
  const size = contentLengthOf(response);
  if (response.statusCode !== 200) {
    response.destroy();
    throw new TransferFailed(`the download was answered ${response.statusCode}`, false);
  }
  if (size !== undefined && size > fileBytesMax) {
    response.destroy();
    throw new Refusal(413, "too_large", `the body has ${size} bytes, at most ${fileBytesMax} are taken`);
  }
  return { stream: response, size };
}

async function put(
  transfer: TunnelTransfer,
  headers: Record<string, string>,
  body: Uint8Array | Readable,
  rules: TransferRules,
  signal: AbortSignal,
): Promise<void> {
  const request = open(transfer, "PUT", headers, rules, signal);
  const answered = responseOf(request);
  // A bucket that refuses an upload responds before it has read the body, and then cuts the connection.
  const sent =
    body instanceof Uint8Array ? void request.end(body) : pipeline(body, request).catch(() => undefined);
  const response = await answered;
  response.resume();
  const status = response.statusCode ?? 0;
  // The object is created only once: 412 means that an earlier attempt, whose response was lost, created it.
  const isStored = (status >= 200 && status <= 299) || status === 412;
  if (!isStored) {
    request.destroy();
    throw new TransferFailed(`the upload was answered ${status}`, status >= 500);
  }
  await sent;
  // The body of the response is for nobody, and may have no end.
  response.destroy();
}

function uploadHeaders(transfer: TunnelTransfer, contentType: string | undefined, size: number) {
  return {
    ...(contentType === undefined ? {} : { "content-type": contentType }),
    ...listedHeaders(transfer),
    "content-length": String(size),
  };
}

/** Retries temporary failures, if the body can be read again. @throws {TransferFailed} */
export async function upload(
  transfer: TunnelTransfer,
  body: Uint8Array | StreamBody,
  contentType: string | undefined,
  rules: TransferRules,
  signal: AbortSignal,
): Promise<void> {
  const size = body instanceof Uint8Array ? body.byteLength : body.size;
  const headers = uploadHeaders(transfer, contentType, size);
  for (let attempt = 1; ; attempt += 1) {
    const source = body instanceof Uint8Array ? body : await body.open();
    if (source === undefined) throw new TransferFailed("the upload was cut and cannot be repeated", false);
    try {
      await put(transfer, headers, source, rules, signal);
      return;
    } catch (error) {
      if (!(source instanceof Uint8Array)) source.destroy();
      const again = error instanceof TransferFailed && error.again && !signal.aborted;
      if (!again || attempt === uploadAttempts) throw error;
    }
  }
}
