import { zValidator } from "@hono/zod-validator";
import { Hono } from "hono";
import * as z from "zod";
import type { SkippableClock } from "./clock.ts";
import type { DurableEngine } from "./durable-engine.ts";

export function createDurableControlRoutes(engine: DurableEngine, clock: SkippableClock): Hono {
  const routes = new Hono();
  routes.get("/", (context) =>
    context.json({
      items: engine.list().map(({ arn, input, status, log }) => ({
        arn,
        name: input.name,
        status,
        operations: log.operationCount,
      })),
    }),
  );
  routes.get("/histories", (context) =>
    context.json({ items: engine.list().map(({ input, history }) => ({ input, events: history.events })) }),
  );
  routes.post("/hold", (context) => {
    engine.hold();
    return context.body(null, 204);
  });
  routes.post("/release", (context) => {
    engine.release();
    return context.body(null, 204);
  });
  routes.post("/skip", zValidator("json", z.strictObject({ seconds: z.number().min(0) })), (context) => {
    clock.skip(context.req.valid("json").seconds * 1_000);
    return context.body(null, 204);
  });
  return routes;
}
