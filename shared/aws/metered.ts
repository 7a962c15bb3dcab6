import { CallMeter } from "../domain/call-meter.ts";
import type { Middleware, MiddlewareClient } from "./client-middleware.ts";

export const serviceCalls = new CallMeter();

/** Counts each request of the client, including retries; presigning sends none. */
export function metered<C extends MiddlewareClient>(service: string, client: C): C {
  const meter: Middleware = (next) => async (args) => {
    const startedMs = performance.now();
    try {
      return await next(args);
    } finally {
      serviceCalls.note(service, performance.now() - startedMs);
    }
  };
  client.middlewareStack.add(meter, { step: "deserialize", priority: "high", name: "callMeter" });
  return client;
}
