import type { Context } from "hono";
import type { Caller } from "../domain/access/caller.ts";
import type { Actor } from "../domain/audit/act.ts";
import type { InvalidItem } from "../domain/invalid-input.ts";
import type { Logger } from "../domain/logger.ts";

/** Facts that the Lambda adapter knows beyond HTTP; absent in tests that call `app.request()`. */
export interface RequestFacts {
  readonly requestId?: string;
  /** The peer's address as API Gateway saw it; X-Forwarded-For can be forged. */
  readonly sourceAddress?: string;
}

export interface HttpEnv {
  Bindings: RequestFacts;
  Variables: {
    requestId: string;
    logger: Logger;
    /** `authenticate` sets this. */
    caller: Caller;
    actor: Actor;
    /** Rejects if the caller's rate limit refuses the request. */
    admission: Promise<void> | undefined;
    startedMs: number;
    problems: readonly InvalidItem[] | undefined;
    errorCode: string;
  };
}

export type HttpContext = Context<HttpEnv>;
