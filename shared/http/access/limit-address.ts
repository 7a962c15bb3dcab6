import type { MiddlewareHandler } from "hono";
import type { RateLimitDeps } from "../http-deps.ts";
import type { HttpEnv } from "../http-env.ts";
import { requireAllowed } from "./limit-rate.ts";

export interface AddressLimit {
  /** Keeps one endpoint's requests from using up another's limit. */
  readonly name: string;
  readonly limit: number;
}

export function limitAddress(
  deps: Pick<RateLimitDeps, "rateLimiter">,
  { name, limit }: AddressLimit,
): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const address = addressGroup(c.env?.sourceAddress ?? "unknown");
    requireAllowed(await deps.rateLimiter.take({ name: `address#${name}#${address}`, limit }));
    await next();
  };
}

/** An IPv6 subscriber has a whole /64, so a limit per address would not limit anything. */
export function addressGroup(address: string): string {
  if (!address.includes(":") || address.includes(".")) return address;
  const [head = "", tail] = address.toLowerCase().split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - before.length - after.length }, () => "0");
  const groups = [...before, ...zeros, ...after].map((group) => group.replace(/^0+(?=.)/, ""));
  return `${groups.slice(0, 4).join(":")}::/64`;
}
