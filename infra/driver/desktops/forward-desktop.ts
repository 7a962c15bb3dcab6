import { Readable } from "node:stream";
import { screenSettledHeader } from "../../../shared/contract/computer/computer.ts";
import type { DriverCapability } from "../../../shared/vocabulary/drivers.ts";
import { pictureBytesMax } from "../../../shared/vocabulary/drivers.ts";
import { problemAnswer, Refusal, readAll } from "../answer.ts";
import type { Answer, Desktop, DesktopRequest } from "../desktop.ts";
import { type BatchScreen, createBatchRoute } from "./batch-route.ts";
import {
  type DesktopOperation,
  desktopOperations,
  desktopPath,
  findServed,
  operationOf,
} from "./desktop-operations.ts";
import { bodyOf, createForwardShell, shellPath } from "./forward-shell.ts";
import { createTurn } from "./turn.ts";

/** A body without a content-length, or of a request that must not be repeated, is held in memory. */
const heldBytesMax = 8 * 1024 * 1024;
const sentenceCharsMax = 2_000;
/** Headers of a single hop are left out, and those that would tell the local server about the service. */
const notForwarded = new Set([
  "authorization",
  "connection",
  "content-length",
  "cookie",
  "expect",
  "host",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

function requestInit(request: DesktopRequest, body: Readable): RequestInit {
  const headers = Object.entries(request.headers).filter(([name]) => !notForwarded.has(name));
  return {
    method: request.method,
    headers: Object.fromEntries(headers),
    // A redirect could lead anywhere.
    redirect: "manual",
    signal: request.signal,
    ...(request.method === "GET" ? {} : { body: Readable.toWeb(body) as ReadableStream, duplex: "half" }),
  } as RequestInit;
}

async function readHeld(response: Response): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > heldBytesMax) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * A server that does not know `settle_ms` answers without the header that says the screen is still. It is not asked to
 * hold a key (`keys_down`): one that does not know `down` would press and release. One that does not know `wait_ms` or
 * tags answers at once, with a picture that the service compares by itself.
 */
const named: readonly DriverCapability[] = [
  "screenshot_settle",
  "computer/batch",
  "long_transfers",
  "single_part_unacknowledged",
  "screenshot_wait",
];

const opensPrograms: DriverCapability = "open_program";

/** A local server is expected to serve all that a whole desktop does, and gets no other requests. */
const forwarded = desktopOperations.map((operation) => ({
  method: operation.method,
  path: desktopPath(operation),
}));

/**
 * @param base is such as `http://127.0.0.1:5000`; its path precedes each request's.
 * @param programs are the names that the local server opens. @default none
 */
export function createForwardDesktop(base: URL, programs?: readonly string[]): Desktop {
  const prefix = base.origin + base.pathname.replace(/\/+$/, "");
  const batch = createBatchRoute(batchScreenOf(handOn), createTurn());
  const runCommand = createForwardShell(handOn, heldBytesMax);

  async function handOn(request: DesktopRequest): Promise<Answer> {
    const { path } = request;
    const url = `${prefix}${path}${request.query === "" ? "" : `?${request.query}`}`;
    const body = await request.body.stream();
    let response: Response;
    try {
      response = await fetch(url, requestInit(request, body));
    } catch (error) {
      body.destroy();
      if (request.signal.aborted) throw error;
      return problemAnswer(502, "local_server_unreachable", "the local server did not respond");
    }
    const headers = Object.fromEntries(response.headers);
    const length = Number(response.headers.get("content-length") ?? Number.NaN);
    // A body that fetch has decompressed has another length than announced.
    const isLengthTrue = Number.isInteger(length) && !response.headers.has("content-encoding");
    const stream = response.body;
    if (request.method === "GET" && isLengthTrue && length > heldBytesMax && stream !== null) {
      return { status: response.status, headers, body: readOnce(stream, length) };
    }
    const held = await readHeld(response);
    if (held === undefined) {
      return problemAnswer(502, "local_answer_too_large", "the local server's answer is too large to hold");
    }
    return {
      status: response.status,
      headers: { ...headers, "content-length": String(held.byteLength) },
      body: held,
    };
  }

  return {
    osInfo: `${process.platform} ${process.arch}, behind a local HTTP server`,
    capabilities: [
      ...forwarded.map(({ path }) => path),
      ...named,
      ...(programs === undefined ? [] : [opensPrograms]),
    ],
    programs: programs ?? [],
    async handle(request): Promise<Answer> {
      const { path } = findServed(forwarded, request);
      if (path === batch.path) return await batch.handle(request);
      return await (path === shellPath ? runCommand(request) : handOn(request));
    },
    // The local server releases its own keys and buttons.
    async releaseHeld() {},
  };
}

/** The local server has no batches, so it gets the actions one by one. */
function batchScreenOf(handOn: (request: DesktopRequest) => Promise<Answer>): BatchScreen {
  return {
    async act(id, input, signal) {
      const { body } = await ask(handOn, id, { json: JSON.stringify(input) }, signal);
      return id === "copyToClipboard" ? JSON.parse(body.toString()) : undefined;
    },
    async show({ settle_ms: settleMs, cursor }, signal) {
      const query = new URLSearchParams({
        ...(settleMs > 0 && { settle_ms: String(settleMs) }),
        ...(cursor && { cursor: "true" }),
      });
      const { body, headers } = await ask(handOn, "takeScreenshot", { query: query.toString() }, signal);
      return { png: body, isSettled: headers[screenSettledHeader.toLowerCase()] === "true" };
    },
  };
}

async function ask(
  handOn: (request: DesktopRequest) => Promise<Answer>,
  id: DesktopOperation["id"],
  { query = "", json = "" }: { readonly query?: string; readonly json?: string },
  signal: AbortSignal,
): Promise<Answer & { readonly body: Buffer }> {
  const operation = operationOf(id);
  const answer = await handOn({
    method: operation.method,
    path: desktopPath(operation),
    query,
    headers: json === "" ? {} : { "content-type": "application/json" },
    body: bodyOf(Buffer.from(json)),
    signal,
  });
  const { status, body } = answer;
  if (!(body instanceof Uint8Array) && body.size > pictureBytesMax) {
    body.discard?.();
    throw new Refusal(502, "local_answer_too_large", "the local server's answer is too large to hold");
  }
  const held = Buffer.from((await readAll(answer)) ?? []);
  if (status >= 200 && status < 300) return { ...answer, body: held };
  throw new Refusal(status, "local_server_refused", sentenceIn(held.toString(), status));
}

function sentenceIn(text: string, status: number): string {
  try {
    const { error } = JSON.parse(text) as { readonly error?: unknown };
    if (typeof error === "string") return error;
  } catch {
    // Not every server responds in JSON.
  }
  return text.slice(0, sentenceCharsMax) || `the local server answered ${status}`;
}

function readOnce(stream: NonNullable<Response["body"]>, size: number) {
  let isOpened = false;
  return {
    size,
    async open() {
      if (isOpened) return undefined;
      isOpened = true;
      return Readable.fromWeb(stream);
    },
    discard: () => void stream.cancel(),
  };
}
