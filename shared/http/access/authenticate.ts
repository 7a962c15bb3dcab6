import type { MiddlewareHandler } from "hono";
import { type Caller, requireScope } from "../../domain/access/caller.ts";
import { callerOfKey } from "../../domain/access/credentials.ts";
import { actorOf } from "../../domain/audit/act.ts";
import { DomainError } from "../../domain/errors.ts";
import type { AccessDeps, AppDeps, IdempotentDeps } from "../http-deps.ts";
import type { HttpContext, HttpEnv } from "../http-env.ts";
import { forwardedAddressHeader, readSignedAddress } from "./forwarded-address.ts";
import { limitRefusals } from "./limit-refusals.ts";

/** The prefix of API keys; a JWT cannot begin with it. */
const apiKeyPrefix = "das_";

/** Longer tokens are refused unread. API Gateway accepts 10,240 bytes of headers in all. */
const tokenCharactersMax = 8_192;

/** A key whose only scope is `driver` opens tunnels and nothing else. */
export function authenticate(deps: AccessDeps & ForwardedDeps): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const caller = await findCaller(deps, c);
    if (caller === undefined) {
      throw new DomainError(
        "missing_credentials",
        "credentials are needed: Authorization: Bearer <API key or token>",
      );
    }
    c.set("caller", caller);
    c.set("actor", actorOf(caller, await addressOf(deps, c)));
    requireScope(caller, "read", "write", "worker", "operator");
    await next();
  };
}

/** Groups that write have the signer; the address is recorded with what is written. */
type ForwardedDeps = Partial<Pick<IdempotentDeps, "idempotencySigner">> & Pick<AppDeps, "clock">;

async function addressOf({ idempotencySigner, clock }: ForwardedDeps, c: HttpContext): Promise<string> {
  const forwarded = c.req.header(forwardedAddressHeader);
  const address =
    forwarded !== undefined && idempotencySigner !== undefined
      ? await readSignedAddress(idempotencySigner, clock, forwarded)
      : undefined;
  return address ?? c.env?.sourceAddress ?? "unknown";
}

/** Undefined without the header. @throws {DomainError} `invalid_credentials`, `rate_limited`, `service_unavailable` */
export async function findCaller(deps: AccessDeps, c: HttpContext): Promise<Caller | undefined> {
  const header = c.req.header("authorization")?.trim() ?? "";
  if (header === "" || /^bearer$/i.test(header)) return undefined;
  const address = c.env?.sourceAddress ?? "unknown";
  return await limitRefusals(deps, { name: "request", address }, () => verify(deps, header));
}

async function verify(deps: AccessDeps, header: string): Promise<Caller> {
  const token = /^bearer +(\S+)$/i.exec(header)?.[1];
  const caller =
    token === undefined || token.length > tokenCharactersMax ? undefined : await findOwner(deps, token);
  if (caller === undefined) {
    throw new DomainError(
      "invalid_credentials",
      token === undefined
        ? "the header is to be Authorization: Bearer <API key or token>"
        : "the API key or token is unknown here, has expired, or was deleted",
    );
  }
  return caller;
}

async function findOwner(deps: AccessDeps, token: string): Promise<Caller | undefined> {
  if (!token.startsWith(apiKeyPrefix)) return deps.sessionVerifier.verify(token);
  const key = await deps.keyVerifier.verify(token);
  return key === undefined ? undefined : callerOfKey(key);
}
