import { type Clock, isoTimestamp } from "../../domain/clock.ts";
import type { Signer } from "../../domain/signer.ts";

/** A function of the service that sends a caller's requests on names the caller's address in it. */
export const forwardedAddressHeader = "x-das-forwarded-for";

const purpose = "forwarded-address";

/** The request follows at once; clocks of instances differ by less. */
const lifetimeMs = 60_000;

/** The signature keeps callers from naming the address of somebody else. */
export async function signAddress(signer: Signer, clock: Clock, address: string): Promise<string> {
  const until = isoTimestamp(clock.now() + lifetimeMs);
  return `${until} ${address} ${await signer.sign(purpose, `${until} ${address}`)}`;
}

/** Undefined for what the service has not signed, or long ago. */
export async function readSignedAddress(
  signer: Signer,
  clock: Clock,
  header: string,
): Promise<string | undefined> {
  const [until = "", address = "", mac = ""] = header.split(" ");
  if (!(Date.parse(until) > clock.now())) return undefined;
  return (await signer.verify(purpose, `${until} ${address}`, mac)) ? address : undefined;
}
