import type { Context } from "hono";
import type { Caller } from "../domain/access/caller.ts";
import type { InvalidItem } from "../domain/invalid-input.ts";
import type { Logger } from "../domain/logger.ts";

/** What the Lambda adapter knows of a request beyond HTTP; absent in tests that call `app.request()`. */
export interface RequestFacts {
  readonly requestId?: string;
  /** The peer's address as API Gateway saw it; X-Forwarded-For is anybody's to write. */
  readonly sourceAddress?: string;
}

export interface HttpEnv {
  Bindings: RequestFacts;
  Variables: {
    requestId: string;
    /** With the request id on every line. */
    logger: Logger;
    /** Set by `authenticate`. */
    caller: Caller;
    /** What the validators found wrong; undefined for nothing. */
    problems: readonly InvalidItem[] | undefined;
    /** Of the answer, for the request's log line. */
    errorCode: string;
  };
}

export type HttpContext = Context<HttpEnv>;
