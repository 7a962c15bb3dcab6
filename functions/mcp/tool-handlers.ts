import type { ContentBlock } from "@modelcontextprotocol/server";
import type * as z from "zod";
import type { ApiClient } from "../../shared/client/api-client.ts";
import type { allTools } from "../../shared/contract/assistant/all-tools.ts";

/** The API as the caller: each request has the caller's own credentials. */
export type CallersApi = Pick<ApiClient, "call">;

export interface ToolDeps {
  readonly api: CallersApi;
  /** Sends each request once: an action that may have been done is not done again. */
  readonly apiOnce: CallersApi;
}

export interface ToolResult<Structured> {
  readonly structured: Structured;
  /** Pictures and texts behind the structured content. */
  readonly content?: readonly ContentBlock[];
  /** Part of what was asked for was not done. */
  readonly isError?: boolean;
}

type AnyTool = (typeof allTools)[number];
type ToolNamed<Name> = Extract<AnyTool, { readonly name: Name }>;

export type ToolHandlers<Name extends AnyTool["name"] = AnyTool["name"]> = {
  readonly [Each in Name]: (
    deps: ToolDeps,
    input: z.output<ToolNamed<Each>["input"]>,
  ) => Promise<ToolResult<z.input<ToolNamed<Each>["output"]>>>;
};
