import { Readable } from "node:stream";
import type { DriverCapability } from "../../../shared/contract/tunnel.ts";
import { problemAnswer } from "../answer.ts";
import type { Answer, Desktop, DesktopRequest } from "../desktop.ts";
import { desktopOperations, desktopPath, findServed } from "./desktop-operations.ts";

/** Without a content-length, or as the answer to what must not be done again, a body is held in memory. */
const heldBytesMax = 8 * 1024 * 1024;
/** They belong to one hop, or name the service to a server that it is no business of. */
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
 * hold a key (`keys_down`): one that does not know `down` would press and release.
 */
const settle: DriverCapability = "screenshot_settle";

/** A local server behind the driver is taken to serve all that a whole desktop does, and is asked for nothing else. */
const forwarded = desktopOperations.map((operation) => ({
  method: operation.method,
  path: desktopPath(operation),
}));

/**
 * Hands the requests of the contract to an HTTP server that serves the same paths.
 *
 * It is the local server's matter what it does with them; doing each once is the driver's.
 *
 * @param base such as `http://127.0.0.1:5000`; its path is put before each request's.
 */
export function createForwardDesktop(base: URL): Desktop {
  const prefix = base.origin + base.pathname.replace(/\/+$/, "");
  return {
    osInfo: `${process.platform} ${process.arch}, behind a local HTTP server`,
    // What the local server cannot do, it says in its answer: without the header its screen does not count as still.
    capabilities: [...forwarded.map(({ path }) => path), settle],
    async handle(request): Promise<Answer> {
      const { path } = findServed(forwarded, request);
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
      // What fetch has decompressed has another length than announced.
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
    },
    // What is held is the local server's to release.
    async releaseHeld() {},
  };
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
