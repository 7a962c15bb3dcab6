import type { Caller } from "../access/caller.ts";
import { DomainError } from "../errors.ts";
import { callDriver } from "../tunnel/call-driver.ts";
import type { ComputerDeps } from "./computer-deps.ts";
import { getDesktop } from "./get-desktop.ts";

/** Base64 turns three bytes into four, and a Lambda's response is at most 6 MB. */
export const screenshotBytesMax = 4_400_000;

export interface TakeScreenshotInput {
  readonly machineId: string;
  /** Pixels to scale to; the display's own when absent. */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  /** How long the driver may wait for the screen to be still, in milliseconds. @default 0 */
  readonly settleMs?: number;
  /** Whether the pointer is drawn in. @default false */
  readonly cursor?: boolean;
}

export interface Screenshot {
  readonly png: Uint8Array;
  /** Whether the screen was still; undefined where it was not asked to be. */
  readonly isSettled: boolean | undefined;
}

/** One of the contract's `driverCapabilities`. */
const settle = "screenshot_settle";

const pngSignature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/**
 * A PNG of the machine's display.
 *
 * A driver that cannot wait or draw the pointer is not asked to; its screen never counts as still.
 *
 * @throws {DomainError} `answer_too_large` above 4.4 MB; ask for a smaller width and height.
 */
export async function takeScreenshot(
  deps: ComputerDeps,
  caller: Caller,
  input: TakeScreenshotInput,
): Promise<Screenshot> {
  const desktop = await getDesktop(deps, caller, input.machineId, "look");
  const query = new URLSearchParams();
  if (input.width !== undefined) query.set("width", String(input.width));
  if (input.height !== undefined) query.set("height", String(input.height));
  const { settleMs = 0, cursor = false } = input;
  if (desktop.machine.capabilities.includes(settle)) {
    if (settleMs > 0) query.set("settle_ms", String(settleMs));
    if (cursor) query.set("cursor", "true");
  }
  const reply = await callDriver(deps, {
    ...desktop,
    method: "GET",
    path: "/computer/display/screenshot",
    query: query.toString(),
    largeResponse: true,
  });
  if (reply.kind === "stored" && reply.sizeBytes > screenshotBytesMax) {
    throw new DomainError(
      "answer_too_large",
      `the screenshot has ${reply.sizeBytes} bytes, more than the ${screenshotBytesMax} that fit a response; ask for a smaller width and height`,
    );
  }
  const png = reply.kind === "stored" ? await deps.files.get(reply.key, screenshotBytesMax) : reply.body;
  if (!png || !pngSignature.every((byte, at) => png[at] === byte)) {
    throw new DomainError("driver_failed", "the machine's driver returned something that is not a PNG");
  }
  const isSettled = reply.headers["x-screen-settled"] === "true";
  return { png, isSettled: settleMs > 0 ? isSettled : undefined };
}
