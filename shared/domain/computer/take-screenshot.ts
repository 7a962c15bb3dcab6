import { type DriverCapability, ifNoneMatch, notModified, screenshotPath } from "../../vocabulary/drivers.ts";
import type { Caller } from "../access/caller.ts";
import { DomainError } from "../errors.ts";
import type { Size } from "../picture/picture.ts";
import { pixelsMax, sizeOfPng } from "../picture/png.ts";
import { callDriver } from "../tunnel/call-driver.ts";
import type { DriverReply } from "../tunnel/driver-channel.ts";
import type { ComputerDeps } from "./computer-deps.ts";
import { type Desktop, getDesktop } from "./get-desktop.ts";
import { removeRead } from "./remove-read.ts";

/** Base64 turns three bytes into four, and a Lambda's response is at most 6 MB. */
const screenshotBytesMax = 4_400_000;

export interface CaptureScreenInput {
  /** The picture is scaled to this many pixels. @default the display's */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  /** The driver may wait this long for the screen to be still. */
  readonly settleMs?: number;
  readonly cursor?: boolean;
  readonly timeoutMs?: number;
  /** The answer is read at once and not kept in the bucket. */
  readonly isReadAtOnce?: boolean;
  readonly bytesMax?: number;
}

export interface TakeScreenshotInput extends CaptureScreenInput {
  readonly machineId: string;
}

export interface Screenshot {
  readonly png: Uint8Array;
  /** Undefined if a still screen was not requested. */
  readonly isSettled: boolean | undefined;
}

const settle: DriverCapability = "screenshot_settle";
export const screenshotWait: DriverCapability = "screenshot_wait";

/** @throws {DomainError} `answer_too_large` above 4.4 MB. */
export async function takeScreenshot(
  deps: ComputerDeps,
  caller: Caller,
  input: TakeScreenshotInput,
): Promise<Screenshot> {
  return await captureScreen(deps, await getDesktop(deps, caller, input.machineId, "look"), input);
}

/** A driver that cannot settle or draw the pointer is not asked to; its screen never counts as still. */
export async function captureScreen(
  deps: ComputerDeps,
  desktop: Desktop,
  input: CaptureScreenInput,
): Promise<Screenshot> {
  const { screenshot } = await captureUnless(deps, desktop, input);
  if (screenshot === undefined) throw noPicture();
  return screenshot;
}

export interface CaptureUnlessInput extends CaptureScreenInput {
  /** The tags of pictures that the caller has. A driver that names no tags is not told of them. */
  readonly unless?: readonly string[];
  /** A driver that can waits this long for a picture that differs from those. */
  readonly waitMs?: number;
}

export interface Captured {
  /** Undefined if the screen shows one of the named pictures. */
  readonly screenshot: Screenshot | undefined;
  /** Undefined where the driver names no tags. */
  readonly etag: string | undefined;
}

/** Header fields have room for these. */
const namedMax = 5;

export async function captureUnless(
  deps: ComputerDeps,
  desktop: Desktop,
  input: CaptureUnlessInput,
): Promise<Captured> {
  const query = new URLSearchParams();
  if (input.width !== undefined) query.set("width", String(input.width));
  if (input.height !== undefined) query.set("height", String(input.height));
  const { settleMs = 0, cursor = false, bytesMax = screenshotBytesMax, unless = [], waitMs = 0 } = input;
  if (desktop.machine.capabilities.includes(settle)) {
    if (settleMs > 0) query.set("settle_ms", String(settleMs));
    if (cursor) query.set("cursor", "true");
  }
  if (waitMs > 0) query.set("wait_ms", String(waitMs));
  const isNamed = unless.length > 0 && desktop.machine.capabilities.includes(screenshotWait);
  const reply = await callDriver(deps, {
    ...desktop,
    method: "GET",
    path: screenshotPath,
    query: query.toString(),
    ...(isNamed && { headers: { [ifNoneMatch]: unless.slice(0, namedMax).join(", ") } }),
    waitMs,
    largeResponse: true,
    ...(input.isReadAtOnce === true && { readBytesMax: bytesMax }),
    ...(input.timeoutMs !== undefined && { timeoutMs: input.timeoutMs }),
  });
  const etag = tagIn(reply);
  if (reply.status === notModified) return { screenshot: undefined, etag };
  const png = reply.kind === "stored" ? await storedPicture(deps, reply, bytesMax) : reply.body;
  const size = png && sizeOfPng(png);
  if (!png || size === undefined) throw noPicture();
  requireReadable(size);
  const isSettled = reply.headers["x-screen-settled"] === "true";
  return { screenshot: { png, isSettled: settleMs > 0 ? isSettled : undefined }, etag };
}

/** A local server behind the driver may name its pictures in a way of its own, by weak tags, or not at all. */
function tagIn({ headers }: DriverReply): string | undefined {
  const { etag = "" } = headers;
  return /^"[\x21\x23-\x7e]{1,64}"$/.test(etag) ? etag : undefined;
}

function noPicture(): DomainError {
  return new DomainError("driver_failed", "the machine's driver returned something that is not a PNG");
}

/** @throws {DomainError} `driver_failed` for a picture that would fill the memory of a reader that decodes it. */
export function requireReadable({ width, height }: Size): void {
  if (width * height <= pixelsMax) return;
  throw new DomainError(
    "driver_failed",
    `the machine's driver returned a picture of ${width} x ${height}, more than ${pixelsMax} pixels`,
  );
}

async function storedPicture(
  { files }: ComputerDeps,
  reply: DriverReply & { readonly kind: "stored" },
  bytesMax: number,
): Promise<Uint8Array | undefined> {
  const isTooLarge = reply.sizeBytes > bytesMax;
  const png = isTooLarge ? undefined : await files.get(reply.key, bytesMax);
  await removeRead(files, reply);
  if (!isTooLarge) return png;
  throw new DomainError(
    "answer_too_large",
    `the screenshot has ${reply.sizeBytes} bytes, more than the ${bytesMax} that fit a response; ask for a smaller width and height`,
  );
}
