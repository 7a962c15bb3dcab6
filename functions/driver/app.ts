import { AuthorizeConnectionBody, ConnectionTokenBody } from "../../shared/contract/driver-authorization.ts";
import {
  type AuthorizeConnectionDeps,
  authorizeConnection,
} from "../../shared/domain/access/authorize-connection.ts";
import { anonymousCaller } from "../../shared/domain/access/caller.ts";
import { mintDesktopToken } from "../../shared/domain/access/desktop-token.ts";
import { findCaller } from "../../shared/http/access/authenticate.ts";
import { createHttpApp } from "../../shared/http/create-http-app.ts";
import type { HttpDeps } from "../../shared/http/http-deps.ts";
import { limitAddress } from "../../shared/http/access/limit-address.ts";
import { idempotent } from "../../shared/http/idempotency/idempotent.ts";
import { readRequest } from "../../shared/http/request/read-request.ts";
import { presentAuthorization, presentConnectionToken, type TicketOffice } from "./present-authorization.ts";

export interface DriverAppDeps extends HttpDeps, Omit<AuthorizeConnectionDeps, "keys">, TicketOffice {}

/** Requests per address in a window of 60 s, for each of the two operations. */
const perAddress = 60;

/** Where drivers and their peers request permission; the credentials are in the bodies. */
export function createDriverApp(deps: DriverAppDeps) {
  const app = createHttpApp(deps);

  app.post(
    "/api/driver/connection-token",
    limitAddress(deps, { name: "connection-token", limit: perAddress }),
    async (c) => {
      const { body } = await readRequest(c, { body: ConnectionTokenBody });
      c.set("caller", (await findCaller(deps, c)) ?? anonymousCaller(c.env?.sourceAddress ?? "unknown"));
      // The same token again for a repeat: its text follows from what is on record.
      const token = await idempotent(
        c,
        deps,
        async () => mintDesktopToken(deps, c.var.caller, body),
        "leased",
      );
      return c.json(await presentConnectionToken(deps, token));
    },
  );

  app.post(
    "/api/driver/authorize-connection",
    limitAddress(deps, { name: "authorize-connection", limit: perAddress }),
    async (c) => {
      const { body } = await readRequest(c, { body: AuthorizeConnectionBody });
      // Needs no Idempotency-Key: the same token always leads to the same ticket.
      const authorization = await authorizeConnection({ ...deps, keys: deps.keyVerifier }, body);
      return c.json(await presentAuthorization(deps, authorization));
    },
  );

  return app;
}
