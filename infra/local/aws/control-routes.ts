import { zValidator } from "@hono/zod-validator";
import { Hono } from "hono";
import * as z from "zod";
import type { AwsEndpoint } from "./aws-endpoint.ts";
import { FaultRequest } from "./faults.ts";

/** An operator puts such a secret into Secrets Manager by hand. */
const OperatorSecret = z.strictObject({ name: z.string().min(1), value: z.string().min(1) });

type Controlled = Pick<
  AwsEndpoint,
  "calls" | "denials" | "grants" | "faults" | "events" | "messages" | "objects" | "secrets"
>;

/** GET /secrets never shows a value; GET /objects returns the folder that holds the objects. */
export function createControlRoutes(endpoint: Controlled): Hono {
  const routes = new Hono();
  routes.get("/calls", (context) => context.json(endpoint.calls.snapshot()));
  for (const name of ["denials", "grants", "events", "messages"] as const) {
    routes.get(`/${name}`, (context) => context.json({ items: endpoint[name].snapshot() }));
  }
  routes.get("/secrets", (context) =>
    context.json({
      items: endpoint.secrets
        .list()
        .map(({ name, deletion }) => ({ name, is_deleted: deletion !== undefined })),
    }),
  );
  routes.post("/secrets", zValidator("json", OperatorSecret), (context) => {
    const { name, value } = context.req.valid("json");
    return context.json({ arn: endpoint.secrets.ensure(name, value).arn }, 201);
  });
  routes.get("/objects", (context) => context.json({ folder: endpoint.objects.root }));
  routes.get("/faults", (context) => context.json({ items: endpoint.faults.list() }));
  routes.post("/faults", zValidator("json", FaultRequest), (context) =>
    context.json(endpoint.faults.inject(context.req.valid("json")), 201),
  );
  for (const name of ["calls", "faults", "events", "messages"] as const) {
    routes.delete(`/${name}`, (context) => {
      endpoint[name].clear();
      return context.body(null, 204);
    });
  }
  return routes;
}
