import { type TunnelTransfer, tunnelBodyBytesMax } from "../../../shared/contract/tunnel.ts";
import { problemAnswer, readAll } from "../answer.ts";
import type { Answer } from "../desktop.ts";
import type { DriverLog } from "../driver-log.ts";
import type { WireResponse } from "./response-sender.ts";
import { upload } from "./transfer.ts";
import { TransferFailed, type TransferRules } from "./transfer-rules.ts";

/** Within these bounds, part 0 stays below the message's limit whatever headers a local server sends. */
const headerLengthMax: Readonly<Record<string, number>> = {
  "content-type": 255,
  "content-length": 20,
  etag: 66,
  "retry-after": 64,
  "x-file-path": 1_024,
  "x-file-size": 20,
  "x-screen-settled": 5,
};
const fileContentType = "application/octet-stream";

function wireHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name, value]) => value.length <= (headerLengthMax[name] ?? -1)),
  );
}

function wire(answer: Answer & { readonly body: Uint8Array }): WireResponse {
  return { status: answer.status, headers: wireHeaders(answer.headers), body: answer.body, uploaded: false };
}

function problem(status: number, code: string, error: string): WireResponse {
  const answer = problemAnswer(status, code, error);
  return { status, headers: answer.headers, body: answer.body as Uint8Array, uploaded: false };
}

function isFile(answer: Answer): boolean {
  return answer.status === 200 && answer.headers["content-type"] === fileContentType;
}

/**
 * A file of any size is uploaded, because its caller needs an address. Neither 413 nor 500 says that the action
 * was not done.
 */
export async function toWireResponse(
  answer: Answer,
  place: TunnelTransfer | undefined,
  rules: TransferRules,
  signal: AbortSignal,
  log: DriverLog,
): Promise<WireResponse> {
  const size = answer.body instanceof Uint8Array ? answer.body.byteLength : answer.body.size;
  const isLarge = size > tunnelBodyBytesMax;
  if (place === undefined && isLarge) {
    if (!(answer.body instanceof Uint8Array)) answer.body.discard?.();
    return problem(
      413,
      "answer_too_large",
      `the answer has ${size} bytes, and at most ${tunnelBodyBytesMax} can be sent without an upload`,
    );
  }
  try {
    if (place === undefined || !(isLarge || isFile(answer))) {
      const body = await readAll(answer);
      if (body === undefined) throw new Error("the answer cannot be read again");
      return wire({ ...answer, body });
    }
    await upload(place, answer.body, answer.headers["content-type"], rules, signal);
    const headers = { ...wireHeaders(answer.headers), "content-length": String(size) };
    return { status: answer.status, headers, body: new Uint8Array(), uploaded: true };
  } catch (error) {
    const reason = error instanceof TransferFailed ? error.message : "the answer could not be read";
    log("error", "answer not delivered", { reason, bytes: size });
    return problem(500, "upload_failed", reason);
  }
}
