import { CallMeter } from "../domain/call-meter.ts";

export const serviceCalls = new CallMeter();

type Middleware = <Args, Output>(next: (args: Args) => Promise<Output>) => (args: Args) => Promise<Output>;

interface MeterableClient {
  readonly middlewareStack: {
    add(
      middleware: Middleware,
      options: { readonly step: "deserialize"; readonly priority: "high"; readonly name: string },
    ): void;
  };
}

/** Counts each request of the client, including retries; presigning sends none. */
export function metered<C extends MeterableClient>(service: string, client: C): C {
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
