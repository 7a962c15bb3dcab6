import { driverOperations } from "../../shared/contract/operations/driver-operations.ts";
import { anonymousCaller } from "../../shared/domain/access/caller.ts";
import { mintDesktopToken } from "../../shared/domain/access/desktop-token.ts";
import {
  type AuthorizeConnectionDeps,
  authorizeConnection,
} from "../../shared/domain/connection/authorize-connection.ts";
import { findCaller } from "../../shared/http/access/authenticate.ts";
import { limitAddress } from "../../shared/http/access/limit-address.ts";
import { createHttpApp } from "../../shared/http/create-http-app.ts";
import type { HttpDeps } from "../../shared/http/http-deps.ts";
import { serveOperations } from "../../shared/http/serve-operations.ts";
import { presentAuthorization, presentConnectionToken, type TicketOffice } from "./present-authorization.ts";

export interface DriverAppDeps extends HttpDeps, Omit<AuthorizeConnectionDeps, "keys">, TicketOffice {}

const perAddress = 60;

export function createDriverApp(deps: DriverAppDeps) {
  const app = createHttpApp(deps);

  for (const { path } of driverOperations) {
    app.use(path, limitAddress(deps, { name: path.split("/").at(-1) ?? "", limit: perAddress }));
  }

  serveOperations(app, deps, driverOperations, {
    createConnectionToken: async ({ c, body, idempotent }) => {
      const caller = (await findCaller(deps, c)) ?? anonymousCaller(c.env?.sourceAddress ?? "unknown");
      c.set("caller", caller);
      // A repeat gets the same token: its text derives from the record.
      const token = await idempotent(async () => mintDesktopToken(deps, caller, body));
      return presentConnectionToken(deps, token);
    },
    // Needs no Idempotency-Key: the same token always leads to the same ticket.
    authorizeConnection: async ({ body }) =>
      presentAuthorization(deps, await authorizeConnection({ ...deps, keys: deps.keyVerifier }, body)),
  });
  return app;
}
