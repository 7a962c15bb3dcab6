import type { Caller } from "../access/caller.ts";
import { callLeaseMs } from "../tunnel/call-slots.ts";
import { inWaitingPlace, type WaitingPlaceDeps } from "../waiting-places/in-waiting-place.ts";
import type { ComputerDeps } from "./computer-deps.ts";
import { type Desktop, getDesktop } from "./get-desktop.ts";
import { type Captured, type CaptureUnlessInput, captureUnless, screenshotWait } from "./take-screenshot.ts";

export interface WatchScreenInput extends CaptureUnlessInput {
  readonly machineId: string;
  readonly unless: readonly string[];
  readonly waitMs: number;
}

export interface Watched extends Captured {
  /** Less was waited than the caller wanted. */
  readonly isEarly: boolean;
}

/**
 * Returns as soon as the screen differs from the named pictures, or after the time. Without a place to wait, and with a
 * driver that cannot, it returns at once.
 */
export async function watchScreen(
  deps: ComputerDeps & WaitingPlaceDeps,
  caller: Caller,
  { machineId, waitMs, ...input }: WatchScreenInput,
): Promise<Watched> {
  const desktop = await getDesktop(deps, caller, machineId, "look");
  const fromMs = deps.clock.now();
  const captured = await captureWhenChanged(deps, desktop, input, waitMs);
  return { ...captured, isEarly: deps.clock.now() - fromMs < waitMs };
}

async function captureWhenChanged(
  deps: ComputerDeps & WaitingPlaceDeps,
  desktop: Desktop,
  input: CaptureUnlessInput,
  waitMs: number,
): Promise<Captured> {
  const { organizationId, connection, capabilities } = desktop.machine;
  const atOnce = async () => await captureUnless(deps, desktop, input);
  const canWait =
    waitMs > 0 &&
    input.unless !== undefined &&
    input.unless.length > 0 &&
    capabilities.includes(screenshotWait);
  if (!canWait || connection === null) return await atOnce();
  const place = {
    organizationId,
    holder: connection.id,
    id: deps.ids.uuid7(),
    leaseUntilMs: deps.clock.now() + callLeaseMs,
  };
  const waited = await inWaitingPlace(deps, place, () => captureUnless(deps, desktop, { ...input, waitMs }));
  return waited.kind === "waited" ? waited.result : await atOnce();
}
