import { zValidator } from "@hono/zod-validator";
import { Hono } from "hono";
import type { AwsEndpoint } from "./aws-endpoint.ts";
import { FaultRequest } from "./faults.ts";

type Controlled = Pick<
  AwsEndpoint,
  "calls" | "denials" | "faults" | "events" | "messages" | "objects" | "secrets"
>;

/**
 * Reads and steers the stand-in over HTTP, to be mounted by the local stack's control server:
 * GET, DELETE /calls; GET /denials; GET, POST, DELETE /faults; GET, DELETE /events; GET, DELETE /messages;
 * GET /secrets, which names them and never shows a value; GET /objects, the folder that holds them.
 */
export function createControlRoutes(endpoint: Controlled): Hono {
  const routes = new Hono();
  routes.get("/calls", (context) => context.json(endpoint.calls.snapshot()));
  routes.delete("/calls", (context) => {
    endpoint.calls.clear();
    return context.body(null, 204);
  });
  routes.get("/denials", (context) => context.json({ items: endpoint.denials.snapshot() }));
  routes.get("/secrets", (context) =>
    context.json({
      items: endpoint.secrets
        .list()
        .map(({ name, deletion }) => ({ name, is_deleted: deletion !== undefined })),
    }),
  );
  routes.get("/objects", (context) => context.json({ folder: endpoint.objects.root }));
  routes.get("/faults", (context) => context.json({ items: endpoint.faults.list() }));
  routes.post("/faults", zValidator("json", FaultRequest), (context) =>
    context.json(endpoint.faults.inject(context.req.valid("json")), 201),
  );
  routes.delete("/faults", (context) => {
    endpoint.faults.clear();
    return context.body(null, 204);
  });
  routes.get("/events", (context) => context.json({ items: endpoint.events.snapshot() }));
  routes.delete("/events", (context) => {
    endpoint.events.clear();
    return context.body(null, 204);
  });
  routes.get("/messages", (context) => context.json({ items: endpoint.messages.snapshot() }));
  routes.delete("/messages", (context) => {
    endpoint.messages.clear();
    return context.body(null, 204);
  });
  return routes;
}
