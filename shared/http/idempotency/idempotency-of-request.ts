import { createHash } from "node:crypto";
import type { Caller } from "../../domain/access/caller.ts";
import type { Idempotency } from "../../domain/idempotency/idempotency.ts";
import { InvalidInput } from "../../domain/invalid-input.ts";
import type { IdempotentDeps } from "../http-deps.ts";
import type { HttpContext } from "../http-env.ts";

const headerName = "Idempotency-Key";

/** Keeps MACs of bodies distinct from MACs for other purposes. */
const purpose = "idempotency-body";

export interface RequestIdempotency {
  readonly idempotency: Idempotency;
  isSameRequest(bodyMac: string): Promise<boolean>;
}

/** Returns undefined without a key. @throws {InvalidInput} for a key that is not 1 to 255 printable ASCII characters */
export async function idempotencyOfRequest(
  c: HttpContext,
  deps: IdempotentDeps,
): Promise<RequestIdempotency | undefined> {
  const key = c.req.header(headerName);
  if (key === undefined) return undefined;
  requireValid(key);
  const { caller } = c.var;
  const described = await describeRequest(c);
  return {
    idempotency: {
      organizationId: caller.organizationId,
      id: idempotencyId(caller, key, c),
      bodyMac: await deps.idempotencySigner.sign(purpose, described),
      owner: deps.ids.uuid7(),
      leased: false,
      repeat: false,
      ids: [deps.ids.uuid7(), deps.ids.uuid7(), deps.ids.uuid7()],
    },
    isSameRequest: (bodyMac) => deps.idempotencySigner.verify(purpose, described, bodyMac),
  };
}

function requireValid(key: string): void {
  if (/^[\x20-\x7e]{1,255}$/.test(key)) return;
  throw new InvalidInput([
    {
      loc: ["header", headerName],
      msg: "String should have 1 to 255 printable ASCII characters",
      type: "string_pattern_mismatch",
    },
  ]);
}

/** The text is an encoded list, so that no two different requests have the same one. */
function idempotencyId(caller: Caller, key: string, c: HttpContext): string {
  const parts = [caller.kind, caller.organizationId, caller.principal, key, c.req.method, c.req.path];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

/** The body is described by a digest of its bytes, whether they are text or not. */
async function describeRequest(c: HttpContext): Promise<string> {
  const body = new Uint8Array(await c.req.arrayBuffer());
  const digest = createHash("sha256").update(body).digest("hex");
  return [c.req.method, c.req.path, new URL(c.req.url).search, digest].join("\n");
}
